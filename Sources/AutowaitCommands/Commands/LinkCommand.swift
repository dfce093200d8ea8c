import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait link`: what a download over a link takes.
enum LinkCommand {
  private enum Pacing: String, CaseIterable {
    case on, off
  }

  /// The most downloads at once, and one after another.
  private static let connectionsMax: Int64 = 100
  private static let requestsMax: Int64 = 1_000
  private static let streamsMax: Int64 = 100
  private static let seedsMax: Int64 = 10_000
  /// How many seeds a link gets that is left to chance.
  private static let seedsDefault: Int64 = 50

  private static let bytes = Option("--bytes", value: "SIZE", "Downloads SIZE; default: 1 MB")
  private static let connections = Option(
    "--connections", value: "N", "Downloads on N connections at once")
  private static let streams = Option(
    "--streams", value: "N",
    "Downloads N at once on each connection, as HTTP/2 and HTTP/3 can")
  private static let requests = Option(
    "--requests", value: "N", "Downloads N times, one after another")
  private static let idle = Option(
    "--idle", value: "TIME", "Waits between two downloads on a connection")
  private static let cc = Option(
    "--cc", choices: TransportPolicy.CongestionControl.words, "Sets the server's congestion control"
  )
  private static let pacing = Option(
    "--pacing", choices: Pacing.allCases.map(\.rawValue),
    "Whether the server paces its packets; default: on")
  private static let http = Option(
    "--http", choices: TransportPolicy.HTTP.words, "Sets the version of HTTP")
  private static let tls = Option(
    "--tls", choices: TransportPolicy.TLS.words, "Sets the version of TLS")
  private static let think = Option(
    "--think", value: "TIME", "Makes the server wait before it responds")
  private static let upload = Option("--upload", value: "SIZE", "Uploads SIZE with each request")
  private static let names = Option(
    "--names", choices: Pacing.allCases.map(\.rawValue),
    "Whether to look up the server's name first; default: on")
  private static let tier = Option(
    "--tier", choices: ["auto"] + LinkTier.words, "Sets the model of the link")
  private static let seeds = Option(
    "--seeds", value: "N",
    "Downloads once for each of N seeds; default: 50 for a random link, else 1")
  private static let seed = Option("--seed", value: "N", "Sets the first seed; default: 0")
  private static let jobs = Option(
    "--jobs", value: "N", "Uses N threads; default: one per processor")
  static let command = Command(
    name: "link", operands: "LINK", operandsMin: 1, operandsMax: 1,
    summary: "Shows how long a download takes over a link",
    about: """
      LINK is a preset listed by 'autowait list profiles', or a file with a link or a trace. \
      Downloads over it as a plain HTTP client would, and prints how long each phase took. A link \
      with random loss or jitter is run under several seeds, and the percentiles are printed. \
      Ends with 1 if a download failed, and with 6 if one took more than a day.
      """,
    options: [
      bytes, connections, streams, requests, idle, cc, pacing, http, tls, think, upload, names,
      tier, seeds, seed, jobs, .format, .root, .color,
    ],
    examples: [
      ("autowait link nlc/lte --bytes 1MB", "Downloads 1 MB over the LTE preset."),
      (
        "autowait link nlc/very-bad --bytes 50kB --seeds 200",
        "Downloads 200 times over a link that loses packets."
      ),
      (
        "autowait link nlc/lte@queue=bdp --requests 3 --idle 6s",
        "Downloads three times on one connection, with a queue that is large enough."
      ),
    ],
    operandWords: { before in
      before.isEmpty ? .links(orFile: true) : OperandWords(words: [])
    },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let first = UInt64(try arguments.number(seed, in: 0...Int64.max) ?? 0)
    let plan = try plan(arguments)
    let files = ScenarioFiles(root: try arguments.root())
    guard let (link, isDrawn) = try link(arguments, plan, files, seed: first, console) else {
      return .invalid
    }
    let count = try arguments.number(seeds, in: 1...seedsMax)
    let chosen = count ?? (link.isLeftToChance ? seedsDefault : 1)
    let cores = Int64(console.environment.processorCount)
    let threads = try arguments.number(jobs, in: 1...1_000) ?? cores
    let name = arguments.operands[0]
    let isDrawnAgain = isDrawn && chosen > 1
    @Sendable func links(_ seed: UInt64) -> [LinkProfile] {
      if !isDrawnAgain { return link.links }
      let until = Instant.start + MeasuredLink.spanMax
      return files.readLink(name, seed: seed, until: until).link?.links ?? link.links
    }
    let measurement = DownloadForecast(
      link, plan, seeds: (0..<UInt64(chosen)).map { first &+ $0 }, drawn: links
    ) { seeds, trial in
      ThreadPool.map(
        seeds, threads: Int(threads),
        progress: { console.progress("\($0) of \(chosen) downloads") }, trial)
    }
    let format: TextFormat = arguments.choice(.format, default: .text)
    switch format {
    case .json: console.write(data: ForecastRendering.json(measurement))
    case .text:
      let style = arguments.style(console)
      console.write(
        ForecastRendering.text(measurement, style: style), keepsPaint: style.usesColor)
    }
    let code: ExitCode = measurement.hasCompleted ? .fine : .differs
    let isCutOff = measurement.requests.contains { $0.unfinished > 0 }
    return isCutOff ? code.combined(with: .cutOff) : code
  }

  /// Reads the link, and what the options say of its transport; says whether it is drawn.
  private static func link(
    _ arguments: Arguments, _ plan: TransferPlan, _ files: ScenarioFiles, seed: UInt64,
    _ console: Console
  ) throws(Command.UsageError) -> (link: MeasuredLink, isDrawn: Bool)? {
    let name = arguments.operands[0]
    if !name.hasSuffix(".json"), Files.kind(of: name) == nil {
      do throws(LinkPreset.PresetProblem) {
        _ = try LinkPreset.named(name)
      } catch {
        throw Command.UsageError(message: error.message, notes: error.notes)
      }
    }
    let (named, findings) = files.readLink(
      name, seed: seed, until: .start + MeasuredLink.spanMax)
    console.report(findings)
    guard let named else { return nil }
    let asked = arguments.value(tier).map { LinkTier(word: $0) } ?? named.tier
    // A link that is ideal stays so, unless something is said of its transport.
    let isReal = named.policy != nil || (asked ?? .ideal) != .ideal || saysTransport(arguments)
    let policy =
      asked == .ideal || !isReal ? nil : try policy(arguments, named.policy ?? TransportPolicy())
    if named.policy == nil, asked == nil, let option = transport.first(where: arguments.has) {
      console.message(
        "autowait: warning: '\(named.name)' has no TCP, and with '\(option.name)' it has; "
          + "'--tier packet' or '--tier fluid' says so without this warning")
    }
    let isMultiplexed = policy.map { $0.http != .http1 } ?? false
    if arguments.has(streams), !isMultiplexed {
      let isIdeal = policy == nil
      throw Command.UsageError(
        message: "'--streams' needs HTTP/2 or HTTP/3" + (isIdeal ? ", and the link is ideal" : ""),
        notes: isIdeal
          ? ["'--tier packet' or '--tier fluid' gives it a transport"]
          : ["'--http' chooses the version"])
    }
    return (MeasuredLink(named, policy: policy, tier: asked, plan: plan), named.draws > 0)
  }

  private static func saysTransport(_ arguments: Arguments) -> Bool {
    transport.contains { arguments.has($0) }
  }

  private static let transport = [http, tls, cc, pacing, names, think, upload]

  private static func flows(_ arguments: Arguments) throws(Command.UsageError) -> Int {
    Int(try arguments.number(connections, in: 1...connectionsMax) ?? 1)
  }

  private static func policy(
    _ arguments: Arguments, _ base: TransportPolicy
  ) throws(Command.UsageError) -> TransportPolicy {
    var policy = base
    if let version: TransportPolicy.HTTP = arguments.named(http) { policy.http = version }
    if let security: TransportPolicy.TLS = arguments.named(tls) { policy.tls = security }
    if policy.http == .http3, !policy.securesQUIC {
      if arguments.has(tls) {
        throw Command.UsageError(message: "HTTP/3 needs TLS 1.3 or what resumes it")
      }
      policy.tls = .tls13
    }
    if let control: TransportPolicy.CongestionControl = arguments.named(cc) {
      policy.congestionControl = control
    }
    if let word = arguments.value(pacing) { policy.isPaced = word == Pacing.on.rawValue }
    if let word = arguments.value(names) { policy.usesDNSLookup = word == Pacing.on.rawValue }
    if let span = try arguments.time(think) { policy.serverDelay = span }
    policy.connectionsPerHost = max(policy.connectionsPerHost, try flows(arguments))
    return policy
  }

  private static func plan(_ arguments: Arguments) throws(Command.UsageError) -> TransferPlan {
    let size = try arguments.size(bytes) ?? ByteCount(bytes: 1_000_000)
    let count = try arguments.number(requests, in: 1...requestsMax) ?? 1
    let rest = try arguments.time(idle) ?? .zero
    let width = try arguments.number(streams, in: 1...streamsMax) ?? 1
    if width > 1, count > 1 {
      throw Command.UsageError(
        message: "'--streams' downloads at once, and '--requests' one after another")
    }
    if arguments.has(idle), count == 1 {
      throw Command.UsageError(
        message: "'--idle' is a rest between downloads", notes: ["'--requests N' makes several"])
    }
    var request = TransferRequest(size: size)
    request.upload = try arguments.size(upload) ?? .zero
    let flows = (0..<(try flows(arguments))).map { _ in
      var steps: [TransferPlan.Step] = []
      for step in 0..<count {
        request.connection = step == 0 ? .new : .pooled
        steps.append(TransferPlan.Step(request, idle: step == 0 ? .zero : rest))
      }
      request.connection = .pooled
      for _ in 1..<max(1, width) { steps.append(TransferPlan.Step(request)) }
      for index in steps.indices.dropLast() where width > 1 { steps[index].isConcurrent = true }
      return TransferPlan.Flow(steps: steps)
    }
    return TransferPlan(flows: flows)
  }
}
