import Autowait
import AutowaitReference
import AutowaitScenario

/// A session of Sabre or Pensieve that is to be decided again.
package enum PeerSession {
  /// A session of Sabre.
  case sabre(SabreSetup)
  /// A session of Pensieve.
  case pensieve(PensieveSetup)

  /// Plays the session, and says what it came to and what was loaded.
  package func played() -> (outcome: PeerOutcome, downloads: [PeerDownload]) {
    switch self {
    case .sabre(let setup):
      var session = SabreSession(setup, keepsDownloads: true)
      return (session.run(), session.downloads)
    case .pensieve(let setup):
      var session = PensieveSession(setup, keepsDownloads: true)
      return (session.run(), session.downloads)
    }
  }
}

/// Reads what the reference sessions were given, as their own simulators read it: in doubles.
package struct PeerReader {
  private let oracles: Oracles

  package init(_ oracles: Oracles) {
    self.oracles = oracles
  }

  // MARK: Sabre

  /// Reads a session of Sabre.
  package func sabre(_ file: JSONValue) throws(Oracles.OracleProblem) -> SabreSetup {
    let input = try file["input"]
    let options = CommandOptions(input.member("cli")?.string ?? "")
    var policy = SegmentRulePolicy(try sabreRule(input, file))
    policy.gammaP = try Self.optionalNumber(input, "gamma_p_s") ?? 5
    policy.isBasic = options.contains("-ab", "--abr-basic")
    policy.avoidsOscillation = options.contains("-ao", "--abr-osc")
    policy.checksBuffer = !options.contains("-noibr", "--no-insufficient-buffer-rule")
    let rows = try sabreRows(
      try input["trace"].word,
      multiplier: try Self.optionalNumber(input, "bandwidth_multiplier") ?? 1)
    let movieLength = try Self.optionalNumber(input, "movie_length_s")
    let ladder = try sabreLadder(try input["movie"].word, seconds: movieLength)
    var setup = SabreSetup(ladder, over: rows, rule: policy)
    setup.bufferMax = try input["max_buffer_ms"].number
    setup.abandons = try input["abandonment"].bool == true
    setup.estimator = try estimator(input.member("estimator"), options)
    switch options.values("-r", "--replace").first {
    case "left": setup.replacement = .left
    case "right": setup.replacement = .right
    // Sabre reads a program of one's own, and then does not use it.
    default: break
    }
    let seek = options.values("-s", "--seek").compactMap { Double($0) }
    if seek.count == 2 {
      setup.seek = SabreSetup.Jump(at: seek[0] * 1_000, to: seek[1] * 1_000)
    }
    return setup
  }

  /// Returns a session of Sabre's defaults with a film and a network of its own format.
  package func setup(
    movie: String, network: String, rule: SegmentRulePolicy.Rule
  ) throws(Oracles.OracleProblem) -> SabreSetup {
    let ladder = try sabreLadder(movie, seconds: nil)
    let rows = try sabreRows(network, multiplier: 1)
    return SabreSetup(ladder, over: rows, rule: SegmentRulePolicy(rule))
  }

  private func sabreRule(
    _ input: JSONValue, _ file: JSONValue
  ) throws(Oracles.OracleProblem) -> SegmentRulePolicy.Rule {
    let rules: [(word: String, rule: SegmentRulePolicy.Rule)] = [
      ("throughput", .throughput), ("bola", .bola), ("bolae", .bolaE), ("dynamic", .dynamic),
      ("dynamicdash", .dynamicDash),
    ]
    let word = try input["rule"].word
    if word == "fixed" { return .fixed(Int(try input["fixed_quality"].whole())) }
    if let rule = rules.first(where: { $0.word == word })?.rule { return rule }
    // The qualities of the session itself stand for a rule that is not known.
    return .scripted(try file["quality_sequence"].wholeNumbers)
  }

  private func sabreRows(
    _ path: String, multiplier: Double
  ) throws(Oracles.OracleProblem) -> [SabreRow] {
    var rows: [SabreRow] = []
    for row in try oracles.json(path).elements {
      rows.append(
        SabreRow(
          duration: try row["duration_ms"].number,
          bandwidth: try row["bandwidth_kbps"].number * multiplier,
          latency: try row["latency_ms"].number))
    }
    guard rows.contains(where: { $0.duration > 0 && $0.bandwidth > 0 }) else {
      throw Oracles.OracleProblem(path, "brings nothing")
    }
    return rows
  }

  /// Reads a film; a length repeats it or cuts it off (`-ml`).
  private func sabreLadder(
    _ path: String, seconds: Double?
  ) throws(Oracles.OracleProblem) -> RuleLadder {
    let movie = try oracles.json(path)
    let segment = try movie["segment_duration_ms"].number
    let rates = try Self.numbers(try movie["bitrates_kbps"])
    var sizes: [Double] = []
    for row in try movie["segment_sizes_bits"].elements {
      let part = try Self.numbers(row)
      guard part.count == rates.count, part.allSatisfy({ $0 > 0 }) else {
        throw Oracles.OracleProblem(path, "has a segment without a size for each quality")
      }
      sizes += part
    }
    let there = sizes.count / max(1, rates.count)
    guard there > 0, segment > 0, rates.allSatisfy({ $0 > 0 }) else {
      throw Oracles.OracleProblem(path, "is not a film")
    }
    let count = seconds.map { Int(($0 * 1_000 / segment).rounded(.up)) } ?? there
    guard (1...10_000_000).contains(count) else {
      throw Oracles.OracleProblem(path, "has no length")
    }
    let whole = (0..<(count * rates.count)).map { sizes[$0 % sizes.count] }
    return RuleLadder(segmentDuration: segment, bitRates: rates, count: count, sizes: whole)
  }

  private func estimator(
    _ value: JSONValue?, _ options: CommandOptions
  ) throws(Oracles.OracleProblem) -> EstimatorPolicy {
    let word = value?.member("kind")?.string ?? options.values("-ma", "--moving-average").first
    if word?.hasPrefix("sliding") == true {
      let keys = ["window_size", "window_sizes", "windows", "window"]
      let member = keys.compactMap { value?.member($0) }.first
      let windows = try member.map(Self.numbers)?.map { Int($0) }
      let asked = options.values("-ws", "--window-size").compactMap { Int($0) }
      return .windows(windows ?? (asked.isEmpty ? [3] : asked))
    }
    if let halfLives = value?.member("half_life_s") {
      return .halfLives(try Self.numbers(halfLives))
    }
    let asked = options.values("-hl", "--half-life").compactMap { Double($0) }
    return asked.isEmpty ? .sabre : .halfLives(asked)
  }

  // MARK: Pensieve

  /// Reads a session of Pensieve.
  package func pensieve(_ file: JSONValue) throws(Oracles.OracleProblem) -> PensieveSetup {
    let input = try file["input"]
    let ladder = try pensieveLadder(
      try input["movie"].word, segment: try input["chunk_ms"].number,
      count: Int(try input["n_chunks"].whole()))
    let rows = try pensieveRows(try input["trace"].word)
    var setup = PensieveSetup(
      ladder, over: rows, rule: SegmentRulePolicy(try pensieveRule(input, file)))
    setup.latency = try input["link_rtt_ms"].number
    setup.payload = try input["payload_portion"].number
    setup.bufferMax = try input["buffer_cap_ms"].number
    setup.quantum = try input["drain_quantum_ms"].number
    return setup
  }

  private func pensieveRule(
    _ input: JSONValue, _ file: JSONValue
  ) throws(Oracles.OracleProblem) -> SegmentRulePolicy.Rule {
    // What is published as `bb` is the rule that others call BBA.
    let published = input.member("published_algorithm")?.string
    switch try input["rule"].word {
    case "bba", "bb": return .bufferBased
    case "mpc": return .predictive
    case "robustmpc", "robust_mpc", "robustMPC": return .robustPredictive
    case "scripted" where published == "bb": return .bufferBased
    case let word where word.hasPrefix("fixed"):
      guard let quality = Int(word.dropFirst(5)) else { fallthrough }
      return .fixed(quality)
    default: return .scripted(try file["quality_sequence"].wholeNumbers)
    }
  }

  private func pensieveLadder(
    _ path: String, segment: Double, count: Int
  ) throws(Oracles.OracleProblem) -> RuleLadder {
    let movie = try oracles.json(path)
    let rates = try Self.numbers(try movie["bitrates_kbps"])
    var columns: [[Double]] = []
    for column in try movie["sizes_bytes_by_quality"].elements {
      columns.append(try Self.numbers(column))
    }
    let there = columns.map(\.count).min() ?? 0
    guard columns.count == rates.count, there >= count, count > 0 else {
      throw Oracles.OracleProblem(path, "has too few sizes")
    }
    let sizes = (0..<there).flatMap { row in columns.map { $0[row] * 8 } }
    return RuleLadder(segmentDuration: segment, bitRates: rates, count: count, sizes: sizes)
  }

  private func pensieveRows(_ path: String) throws(Oracles.OracleProblem) -> [PensieveSetup.RateRow]
  {
    let text = String(decoding: try oracles.text(path).bytes, as: UTF8.self)
    var rows: [PensieveSetup.RateRow] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let time = Double(words[0]), let megabits = Double(words[1]) else {
        throw Oracles.OracleProblem("\(path):\(index + 1)", "is not a time and rate")
      }
      rows.append(PensieveSetup.RateRow(time: time, megabits: megabits))
    }
    guard rows.count > 1, rows.dropFirst().contains(where: { $0.megabits > 0 }) else {
      throw Oracles.OracleProblem(path, "brings nothing")
    }
    return rows
  }

  // MARK: Numbers

  private static func optionalNumber(
    _ value: JSONValue, _ key: String
  ) throws(Oracles.OracleProblem) -> Double? {
    guard let member = value.member(key), member.kind != .null else { return nil }
    return try member.number
  }

  /// The numbers of an array, or the one number that stands for it.
  private static func numbers(_ value: JSONValue) throws(Oracles.OracleProblem) -> [Double] {
    if value.decimal != nil { return [try value.number] }
    var numbers: [Double] = []
    for element in value.elements { numbers.append(try element.number) }
    return numbers
  }
}

/// The options of a command line of Sabre, as far as words without quotes go.
struct CommandOptions {
  private let words: [Substring]

  init(_ line: String) {
    words = line.split(separator: " ")
  }

  /// Returns whether an option is there, by its short or its long name.
  func contains(_ short: Substring, _ long: Substring) -> Bool {
    words.contains(short) || words.contains(long)
  }

  /// Returns the words behind an option, up to the next one.
  func values(_ short: Substring, _ long: Substring) -> [String] {
    guard let index = words.firstIndex(where: { $0 == short || $0 == long }) else { return [] }
    return words[(index + 1)...].prefix { !$0.hasPrefix("-") || Double($0) != nil }.map {
      String($0)
    }
  }
}
