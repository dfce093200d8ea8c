import Autowait

/// The keys of a heuristic.
package enum HeuristicKeys {
  static let editorSchema = Key(
    "$schema", .string, "the schema by which an editor checks the file")
  static let rule = Key(
    "rule",
    .any(
      .either([.words(Heuristic.all.map { $0.name } + ["buffered"]), .object { RuleKeys.object }])),
    "the rule, by its name or as data")
  static let program = Key(
    "program", .list(of: .string), "a program that is the rule: its path, and its arguments")
  static let timeout = Key(
    "timeout", .positiveTime, .standard("5 s"), "how long the program may take to answer")
  static let askEvery = Key(
    "askEvery", .positiveTime, "how often the program is asked while nothing happens")

  static let start = Key(
    "start", .positiveMediaTime, .required, "how much media must be ahead to start")
  static let otherStart = Key("start", .positiveMediaTime, start.row.about)
  static let resume = Key(
    "resume", .positiveMediaTime, "how much must be ahead to go on after a stall; that of 'start'")

  static let verdictSize = Key(
    "verdictSize", .size, "how much must have come before the fill rate is believed")
  static let verdictTime = Key(
    "verdictTime", .time, "how long data must have come before the fill rate is believed")
  static let fillRateWindow = Key(
    "fillRateWindow", .positiveTime, "over how long the fill rate is measured")
  static let safetyMargin = Key(
    "safetyMargin", .playbackRate(in: .zero...PlaybackRate(millionths: 10_000_000)),
    "how much faster than needed the fill rate must be: 0.1 is a tenth")
  static let forwardBufferLimit = Key(
    "forwardBufferLimit", FieldKind<MediaTime?>.nullable(.positiveMediaTime),
    "how far ahead is loaded, in time; null for no limit")
  static let forwardBufferResume = Key(
    "forwardBufferResume", FieldKind<MediaTime?>.nullable(.mediaTime),
    "to what the buffer must have fallen before loading goes on; null for less than the limit")
  static let forwardBufferSizeMax = Key(
    "forwardBufferSizeMax", size, "how much data is loaded ahead at most; null for no limit")
  static let forwardBufferSizeMin = Key(
    "forwardBufferSizeMin", size, "how much data is loaded ahead whatever the time limit says")
  static let forwardBufferSizeBeyond = Key(
    "forwardBufferSizeBeyond", size,
    "how much data of a file is loaded beyond the time limit; null for none")
  static let forwardBufferLimitMax = Key(
    "forwardBufferLimitMax", FieldKind<MediaTime?>.nullable(.positiveMediaTime),
    "how far ahead is loaded at most while there is too little data")
  static let forwardBufferSizeSlack = Key(
    "forwardBufferSizeSlack", size, "how much less data must be ahead for loading to go on")
  static let forwardBufferSizesOfFiles = Key(
    "forwardBufferSizesOfFiles", .bool, "whether these sizes hold for files, too")
  static let requestOrder = Key(
    "requestOrder", FieldKind<RequestOrder>.named, "in which order the tracks of a stream load")
  static let requestInterval = Key(
    "requestInterval", FieldKind<TimeSpan?>.nullable(.positiveTime),
    "how often a track that has enough looks again; null for as soon as it has not")
  static let readStep = Key(
    "readStep", FieldKind<MediaTime?>.nullable(.positiveMediaTime),
    "how much media of a segment is read at a time while the segment comes; null for all at once")
  static let readAhead = Key(
    "readAhead", size,
    "how much comes of a segment while the one before it is read; null for nothing")
  static let followingBlock = Key(
    "followingBlock", size,
    "how much must have come behind a segment for it to be played; null for nothing")
  static let droppedSize = Key(
    "droppedSize", size,
    "how much more crosses an ideal link of a request that is given up; null for nothing")
  static let probeSize = Key(
    "probeSize", size,
    "how much is read of each track's first segment before any is loaded whole, one request at a "
      + "time; null for nothing")
  static let probeDropped = Key(
    "probeDropped", .size, .standard("0"),
    "how much more of it crosses the link when that connection is dropped")
  static let pictureGrace = Key(
    "pictureGrace", .time, "how long the clock runs on without a picture while there is sound")
  static let frameDuration = Key(
    "frameDuration", .positiveMediaTime, "how long a frame is; less of a buffer counts as empty")
  static let latency = Key(
    "latency", .object(of: LatencyKeys.object),
    "latencies of the app and the player")

  package static let object: ObjectKind = ObjectKind(
    "heuristic", "a heuristic", editorSchema.row, rule.row, program.row, verdictSize.row,
    verdictTime.row,
    fillRateWindow.row,
    safetyMargin.row, forwardBufferLimit.row, forwardBufferResume.row, forwardBufferSizeMax.row,
    forwardBufferSizeMin.row, forwardBufferSizeBeyond.row, forwardBufferLimitMax.row,
    forwardBufferSizeSlack.row,
    forwardBufferSizesOfFiles.row, requestOrder.row, requestInterval.row, readStep.row,
    readAhead.row, followingBlock.row, droppedSize.row, probeSize.row, probeDropped.row,
    pictureGrace.row,
    frameDuration.row, latency.row, cases: cases)

  /// A name, or an object.
  package static let nameOrObject: Schema = .either([
    .words(Heuristic.all.map { $0.name }), .object { object },
  ])

  /// What a program and each rule have of their own.
  private static let cases: [ObjectKind.Case] =
    [
      ObjectKind.Case(.absent("rule"), otherStart.row, resume.row),
      ObjectKind.Case(.key("program"), timeout.row, askEvery.row),
      ObjectKind.Case(.word("buffered", of: "rule"), start.row, resume.row),
    ]
    + Heuristic.all.map { heuristic in
      ObjectKind.Case(
        .word(heuristic.name, of: "rule"), rows: heuristic.parameters.map { $0.key.row })
    }

  private static var size: FieldKind<ByteCount?> { .nullable(.positiveSize) }
}

/// The keys of a rule that is written as data.
enum RuleKeys {
  static let name = Key("name", .string, "what tables and logs call it")
  static let start = Key(
    "start", .any(ConditionKeys.anything), .required, "when playback may start")
  static let resume = Key(
    "resume", .any(ConditionKeys.anything), "when it may go on after a stall; as 'start'")
  static let afterSeek = Key(
    "afterSeek", .any(ConditionKeys.anything), "when it may go on after a seek; as 'resume'")
  static let starvesBelow = Key(
    "starvesBelow", .mediaTime, .standard("0"), "with how much ahead playback stops")
  static let checkEvery = Key(
    "checkEvery", FieldKind<TimeSpan?>.nullable(.positiveTime), .standard("null"),
    "how often the player looks; null for at any time")
  static let object: ObjectKind = ObjectKind(
    "rule", "a rule", name.row, start.row, resume.row, afterSeek.row, starvesBelow.row,
    checkEvery.row)
}

/// The keys of a condition of a rule.
enum ConditionKeys {
  static let all = Key("all", .array(of: anything), "conditions that must all hold")
  static let any = Key("any", .array(of: anything, least: 1), "conditions one of which must hold")
  static let object: ObjectKind = ObjectKind(
    "condition", "a condition of a rule",
    rows: BufferMeasure.allCases.map { $0.key.row } + [all.row, any.row])
  static let anything: Schema = .either([
    .words(ConditionWord.allCases.map { $0.rawValue }), .object { object },
  ])
}
