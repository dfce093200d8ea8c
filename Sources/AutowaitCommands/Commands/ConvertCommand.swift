import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait convert`: turns traces and profiles of links into those of other tools, and streams
/// into playlists and back.
enum ConvertCommand {
  private static let from = Option(
    "--from", value: "FORMAT", "Reads FILE as FORMAT; default: detects the format"
  ).offering(TraceFormat.readable)
  private static let to = Option(
    "--to", value: "FORMAT", "Writes FORMAT; default: link, Autowait's own"
  ).offering(TraceFormat.writable + others)
  /// What is written besides formats of links.
  private static let others =
    StreamConversion.Target.allCases.map(\.rawValue) + [RecordingConversion.target]
  private static let output = Option(
    "--output", value: "FILE",
    "Writes to FILE, or prints if FILE is -; mahimahi has one file for each direction, FILE.down "
      + "and FILE.up")
  private static let name = Option("--name", value: "NAME", "Names the link NAME")
  private static let profile = Option(
    "--profile", value: "NAME", "Uses the profile NAME of a file with several profiles")
  private static let down = Option(
    "--down", value: "FILE", "Reads the downlink from FILE, in the format of mahimahi")
  private static let up = Option(
    "--up", value: "FILE", "Reads the uplink from FILE, in the format of mahimahi")
  private static let until = Option(
    "--until", value: "TIME", "Reads and writes only the first TIME of the trace")
  private static let end = Option(
    "--end", choices: TraceEnding.allCases.map(\.rawValue),
    "What follows the end of the trace; default: what its format implies")
  private static let bin = Option(
    "--bin", value: "TIME",
    "Groups packets by TIME; default: 1 ms for mahimahi, 100 ms for bytes")
  private static let columns = Option(
    "--columns", value: "LIST",
    "The columns of a table, such as time:s,rate:kbit/s, or every:1s,rate:kbit/s for one number "
      + "per line; also for:ms for how long a line lasts, bytes, total for bytes that add up, "
      + "and - for a column to ignore")
  private static let listFormats = Option("--list-formats", "Lists the formats")

  static let command = Command(
    name: "convert", operands: "FILE…", operandsMin: 0,
    summary: "Converts traces, link profiles and streams between formats",
    about: """
      FILE is a trace, a profile, the name of a built-in link, or - to read a trace or a profile \
      from standard input. Two FILEs, which end in .down and .up, are the directions of a mahimahi \
      trace. The command prints the format that it detected, and what the other format cannot \
      express. It writes nothing if there is an error.

      FILE can also be a stream: a playlist, or a scenario with a stream. The format 'ladder' is \
      a stream in JSON with all its segments, and 'hls' is a folder of playlists.

      FILE can also be a recording of a real player, as used by 'autowait fidelity'. The format \
      'scenario' reproduces the recording and expects what it contains.
      """,
    options: [
      from, to, output, name, profile, columns, down, up, until, end, bin, listFormats,
    ],
    examples: [
      (
        "autowait convert norway_bus_12 --output bus.json",
        "Converts a Pensieve trace to a link for a scenario."
      ),
      (
        "autowait convert own.csv --columns time:s,rate:kbit/s",
        "Converts a table whose columns have no names to a link."
      ),
      (
        "autowait convert conditioner.plist --profile LTE --to tc",
        "Prints a script that gives a Linux machine the conditioner's LTE."
      ),
      ("autowait convert bus.json --to mahimahi --output bus", "Writes bus.down and bus.up."),
      (
        "autowait convert show/master.m3u8 --to ladder --output ladder.json",
        "Converts playlists on disk to the 'media' of a scenario."
      ),
      (
        "autowait convert recordings/timelines/a.json --to scenario --output a.json",
        "Converts a recording to a scenario that expects what was recorded."
      ),
      (
        "autowait convert s.json --to hls --output show",
        "Writes the playlists of a scenario's stream to the folder show."
      ),
    ],
    operandWords: { _ in .links(orFile: true) },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    if arguments.has(listFormats) {
      console.write(FormatRendering.table())
      return .fine
    }
    if let recording = try recording(arguments) { return try recording.run(console) }
    if let conversion = try stream(arguments) { return try conversion.run(console) }
    let call = try ConvertCall(arguments)
    guard let link = try call.read(console) else { return .invalid }
    return try call.write(link, console)
  }

  /// Returns how to make a scenario of a recording, if that is wanted.
  private static func recording(
    _ arguments: Arguments
  ) throws(Command.UsageError) -> RecordingConversion? {
    guard arguments.value(to) == RecordingConversion.target else { return nil }
    guard arguments.operands.count == 1 else {
      throw Command.UsageError(
        message: "'autowait convert' reads one recording at a time", notes: [command.seeHelp])
    }
    try checkIsFile(arguments.operands[0])
    for option in [from, name, profile, columns, down, up, until, end, bin]
    where arguments.has(option) {
      throw Command.UsageError(message: "'\(option.name)' is for links, not for recordings")
    }
    return RecordingConversion(input: arguments.operands[0], output: arguments.output(output))
  }

  /// Returns how to convert a stream, if it is one that is to be converted.
  private static func stream(
    _ arguments: Arguments
  ) throws(Command.UsageError) -> StreamConversion? {
    let word = arguments.value(to)
    var target = word.flatMap { StreamConversion.Target(rawValue: $0) }
    let isPlaylist = arguments.operands.contains {
      $0.hasSuffix(".m3u8") || $0.hasSuffix(".m3u")
    }
    if word == nil, isPlaylist { target = .ladder }
    if target == nil, isPlaylist, let word, TraceFormat.writable.contains(word) {
      throw Command.UsageError(
        message: "a playlist is not a link: '--to ladder' or '--to hls' takes streams")
    }
    guard let target else { return nil }
    guard arguments.operands.count == 1 else {
      throw Command.UsageError(
        message: "'autowait convert' reads one stream at a time", notes: [command.seeHelp])
    }
    try checkIsFile(arguments.operands[0])
    for option in [from, name, profile, columns, down, up, until, end, bin]
    where arguments.has(option) {
      throw Command.UsageError(message: "'\(option.name)' is for links, not for streams")
    }
    return StreamConversion(
      input: arguments.operands[0], target: target, output: arguments.output(output))
  }

  private static func checkIsFile(_ input: String) throws(Command.UsageError) {
    if input != "-" { return }
    throw Command.UsageError(
      message: "'autowait convert -' reads a link from standard input, and nothing else",
      notes: ["a stream or a recording needs the files next to it: name a FILE"])
  }

  /// One call: what is read and what is written.
  private struct ConvertCall {
    private let inputs: [String]
    private let isPair: Bool
    private let isRecognized: Bool
    private let target: TraceFormat
    private let outputPath: String?
    private let newName: String?
    private var options = TraceOptions()

    init(_ arguments: Arguments) throws(Command.UsageError) {
      options.format = try arguments.format(from, TraceFormat.readable)
      options.loader = .files()
      isRecognized = options.format == nil
      target =
        try arguments.format(
          to, TraceFormat.writable,
          and: others)
        ?? .link
      outputPath = arguments.output(output)
      newName = arguments.value(name)
      options.profileName = arguments.value(profile)
      options.columns = try arguments.columns(columns)
      if options.columns != nil, let format = options.format, !format.isTable {
        throw Command.UsageError(
          message: "'--columns' belongs to tables, not to '\(format.rawValue)'")
      }
      options.until = try arguments.positiveTime(until)
      options.ending = arguments.value(end).flatMap { TraceEnding(rawValue: $0) }
      options.bin = try arguments.positiveTime(bin)
      let pair = (arguments.value(down), arguments.value(up))
      (inputs, isPair) = try Self.inputs(arguments.operands, down: pair.0, up: pair.1)
      if isPair, let format = options.format, !format.hasTwoFiles {
        throw Command.UsageError(
          message: "only mahimahi has a file for each direction, not '\(format.rawValue)'")
      }
      if isPair, options.columns != nil {
        throw Command.UsageError(message: "'--columns' belongs to tables, not to 'mahimahi'")
      }
      if inputs.count(where: { $0 == "-" }) > 1 {
        throw Command.UsageError(message: "standard input can be read only once")
      }
      if newName == "" { throw Command.UsageError(message: "'--name' must not be empty") }
      if let outputPath, target.hasTwoFiles,
        outputPath.utf8.last == UInt8(ascii: "/")
          || ["", ".", ".."].contains(Path.name(of: outputPath))
      {
        throw Command.UsageError(
          message: "'--output' must end in a name, to which .down and .up are added")
      }
      if let bin = options.bin, bin.nanoseconds % 1_000_000 != 0 {
        throw Command.UsageError(message: "'--bin' must be whole milliseconds")
      }
    }

    /// Returns the files to read: one, or that of the way down and that of the way up.
    private static func inputs(
      _ operands: [String], down: String?, up: String?
    ) throws(Command.UsageError) -> (paths: [String], isPair: Bool) {
      if down != nil || up != nil {
        guard let down, let up, operands.isEmpty else {
          throw Command.UsageError(
            message: "'--down' and '--up' belong together, without a FILE",
            notes: [command.seeHelp])
        }
        return ([down, up], true)
      }
      switch operands.count {
      case 1: return (operands, false)
      case 2:
        let downs = operands.filter { $0.hasSuffix(".down") }
        let ups = operands.filter { $0.hasSuffix(".up") }
        if downs.count == 1, ups.count == 1 { return (downs + ups, true) }
        throw Command.UsageError(
          message: "with two files, it must be clear which is the downlink",
          notes: ["name them with '--down' and '--up', or let them end in .down and .up"])
      default:
        throw Command.UsageError(
          message: operands.isEmpty
            ? "'autowait convert' needs FILE…" : "'autowait convert' reads one trace at a time",
          notes: [command.seeHelp])
      }
    }

    /// Reads the link; prints what there is to say about it.
    func read(_ console: Console) throws(Command.UsageError) -> ConvertedLink? {
      for path in outputPaths {
        try InputGuard(option: "--output", output: path).check(inputs: inputs)
      }
      if !isPair, isRecognized, options.columns == nil, Files.kind(of: inputs[0]) == nil,
        let link = LinkFormat.builtIn(inputs[0])
      {
        return named(link)
      }
      guard let reading = reading(console) else { return nil }
      console.report(reading.findings)
      guard let link = reading.link else { return nil }
      try checkOptions(reading.format)
      if isRecognized, let format = reading.format {
        let kind = link.kind.map { "; its rates are \($0.rawValue)" } ?? ""
        console.note("\(inputs[0]) was read as \(format.title)\(kind)")
        if format != .link {
          let traces = TraceNotes()
          traces.add(TraceSummary(link, format, path: inputs[0], until: options.until))
          traces.report(console)
        }
        if let limit = format.limit { console.note("\(limit)") }
      }
      return named(link)
    }

    /// Throws if an option says something that the format has no use for.
    private func checkOptions(_ format: TraceFormat?) throws(Command.UsageError) {
      guard let format else { return }
      if options.bin != nil, !format.hasBins {
        throw Command.UsageError(
          message: "'--bin' belongs to mahimahi and bytes, not to '\(format.rawValue)'")
      }
      if options.profileName != nil, !format.hasProfiles {
        throw Command.UsageError(
          message: "'--profile' belongs to files with several, not to '\(format.rawValue)'")
      }
    }

    private func reading(_ console: Console) -> TraceReading? {
      var sources: [ByteSource] = []
      var onRead: ((Int) -> Void)?
      if console.environment.messages.isTerminal {
        onRead = { total in
          if total >> 26 != (total - 1) >> 26 { console.progress("\(total >> 20) MiB read") }
        }
      }
      defer { console.clearProgress() }
      for path in inputs {
        if path == "-" {
          switch console.standardInput() {
          case .success(let source): sources.append(ByteSource(source))
          case .failure(let finding): console.report([finding])
          }
          continue
        }
        do throws(Files.SystemProblem) {
          sources.append(try Files.stream(path, onRead: onRead))
        } catch {
          var notes: [String] = []
          if error == .doesNotExist {
            notes = NearestWord.hint(for: path, among: LinkPreset.all.map(\.name))
          }
          console.report([Finding(.error, "the file \(error.reason)", path: path, notes: notes)])
        }
      }
      if sources.count < inputs.count { return nil }
      return isPair
        ? TraceReader.readPair(down: sources[0], up: sources[1], options)
        : TraceReader.read(sources[0], options)
    }

    private func named(_ link: ConvertedLink) -> ConvertedLink {
      var link = link
      if let newName { link.name = newName }
      return link
    }

    /// The files that are written.
    private var outputPaths: [String] {
      guard let outputPath else { return [] }
      return target.hasTwoFiles ? ["\(outputPath).down", "\(outputPath).up"] : [outputPath]
    }

    /// Writes the link; prints what the format has no place for.
    func write(_ link: ConvertedLink, _ console: Console) throws(Command.UsageError) -> ExitCode {
      let written: WrittenLink
      do throws(TraceWriter.TraceProblem) {
        written = try TraceWriter.write(link, target, until: options.until)
      } catch {
        console.report([Finding(.error, error.message, path: inputs[0], notes: error.notes)])
        return .invalid
      }
      for warning in written.warnings {
        console.report([Finding(.warning, warning, path: inputs[0])])
      }
      if outputPath == nil {
        if written.up != nil {
          console.note("this is the downlink only; '--output FILE' writes both")
        }
        console.write(data: written.bytes)
        return .fine
      }
      let files = [written.bytes] + (written.up.map { [$0] } ?? [])
      return Files.store(zip(outputPaths, files).map { ($0, $1) }, console)
    }
  }
}

extension Arguments {
  /// Returns the format that an option names.
  fileprivate func format(
    _ option: Option, _ formats: [String], and others: [String] = []
  ) throws(Command.UsageError) -> TraceFormat? {
    guard let word = value(option) else { return nil }
    if let format = TraceFormat(rawValue: word), formats.contains(word) { return format }
    throw Command.UsageError(
      unknown: "'\(option.name)' has the unknown value", word, among: formats + others,
      list: "the values are: ", shownBy: "autowait convert --list-formats")
  }

  /// Returns what an option says about the columns of a table.
  fileprivate func columns(_ option: Option) throws(Command.UsageError) -> TableColumns? {
    guard let text = value(option) else { return nil }
    do throws(TableColumns.ColumnsProblem) {
      return try TableColumns(text)
    } catch {
      throw Command.UsageError(message: "'\(option.name)' \(error.message)", notes: error.notes)
    }
  }

  /// Returns the time that an option names.
  fileprivate func positiveTime(_ option: Option) throws(Command.UsageError) -> TimeSpan? {
    guard let instant = try instant(option) else { return nil }
    if instant > .start { return instant - .start }
    throw Command.UsageError(message: "'\(option.name)' must be more than 0")
  }
}
