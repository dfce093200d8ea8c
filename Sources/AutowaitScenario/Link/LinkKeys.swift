import Autowait

/// The keys of a link.
package enum LinkKeys {
  static let editorSchema = Key(
    "$schema", .string, "the schema by which an editor checks the file")
  static let name = Key("name", .string, "what logs and timelines call the link")
  static let about = Key("about", .string, "what the link is, for readers of the file")
  static let source = Key("source", .string, "where its numbers come from, for readers")
  static let confidence = Key(
    "confidence", FieldKind<LinkPreset.Confidence>.word(),
    "how sure they are, for readers")
  static let schema = Key("schema", .string, "the version of the format, for other programs")
  static let whole = Key(
    "whole", .bool, .standard("false"),
    "in an object that would change another link: whether it replaces that link entirely")
  static let use = Key(
    "use", .any(anywhere), "the link that this one is based on; keys next to it change it")
  static let rate = Key(
    "rate", .linkRate, "the rate down if it never changes, instead of 'down'")
  static let down = Key(
    "down", .object(of: DirectionKeys.object), "the direction towards the player")
  static let up = Key(
    "up", .object(of: DirectionKeys.object), "the way of requests and of acknowledgements")
  static let dns = Key("dns", .object(of: LookupKeys.record.kind), "what a lookup of a name costs")
  static let events = Key(
    "events", .array(of: EventKeys.object), "what happens to the link at certain times")
  static let outage = Key(
    "outage", .object(of: OutageKeys.object),
    "times in which it is up and down in turn, instead of 'events'")
  static let match = Key(
    "match", .array(of: MatchKeys.object), "hosts that have links of their own")
  static let traceKind = Key(
    "traceKind", FieldKind<TraceKind>.word(), "what the rates were measured as")
  static let transport = Key(
    "transport", .transport(from: nil), "how requests are carried over it")
  package static let object: ObjectKind = ObjectKind(
    "link", "a link", editorSchema.row, name.row, about.row, source.row, confidence.row, schema.row,
    whole.row, use.row, rate.row, down.row, up.row,
    dns.row, events.row,
    outage.row, match.row, traceKind.row, transport.row)
  /// A link that does not stand in for another one: it says what comes down, or begins with one
  /// that does.
  package static let complete: ObjectKind =
    object.with(
      ObjectKind.Case(
        .absent("use"), down.row.with(.object { DirectionKeys.complete }, down.row.presence)),
      as: "completeLink"
    ).needing(oneOf: ["use", "rate", "down"])
}

/// The keys of a change of the link.
enum LinkChangeKeys {
  static let at = Key("at", .instant, .required, "when the link changes; the first time is 0")
  static let use = Key(
    "use", .any(LinkKeys.anywhere), .required, "the link that holds from then on")
  static let object: ObjectKind = ObjectKind("linkChange", "a change of the link", at.row, use.row)
}

/// The keys of a direction of a link.
enum DirectionKeys {
  /// The keys that say what it carries.
  static let choices = ["rate", "track", "random"]

  static let rate = Key(
    "rate", .linkRate, "a rate of IP packets that never changes; 0 is an outage")
  static let delay = Key("delay", .time, "the time from one end to the other")
  static let track = Key(
    "track", .array(of: SampleKeys.object, least: 1), "the rates, one after the other")
  static let trackEnd = Key(
    "trackEnd",
    FieldKind<TraceEnding>.words([("hold", .hold), ("loop", .loop), ("offline", .offline)]),
    .standard("hold"),
    "what follows the track: its last sample without an end, the track again, or a dead path: "
      + "nothing gets through any more, and the device does not know, as it does with the event "
      + "'offline'")
  static let length = Key(
    "length", .positiveTime, "when the track begins again or ends, if it does not hold")
  static let random = Key(
    "random", .object(of: RandomTrackKeys.object), "a rate that is drawn again and again")
  static let object: ObjectKind = ObjectKind(
    "direction", "a direction of a link",
    rows: [rate.row, delay.row, track.row, random.row]
      + PacketProperty.all.map { $0.member.row },
    cases: [ObjectKind.Case(.key("track"), trackEnd.row, length.row)])
  /// A direction that says what it carries.
  static let complete: ObjectKind = object.needing(only: choices, as: "completeDirection")
}

/// The keys of a sample of a track.
enum SampleKeys {
  static let rate = Key("rate", .linkRate, .required, "the rate from then on")
  static let delay = Key("delay", .time, "the delay from then on; that of the direction")
  static let loss = Key("loss", .probability, "the chance of a loss from then on")
  static let length = Key("for", .positiveTime, "how long the sample holds")
  static let at = Key("at", .time, "when it begins to hold")
  static let object: ObjectKind = ObjectKind(
    "sample", "a sample of a track", rate.row, delay.row, loss.row, length.row, at.row,
    choices: ["at", "for"])
}

/// The keys of a track that is drawn from the seed.
enum RandomTrackKeys {
  static let from = Key("from", .bitRate, .required, "the lowest rate")
  static let to = Key("to", .bitRate, .required, "the highest rate")
  static let every = Key("every", .positiveTime, .required, "how long a rate holds")
  static let count = Key(
    "count", .integer(in: 1...1_000_000), .required, "how many rates are drawn")
  static let object: ObjectKind = ObjectKind(
    "randomTrack", "a random track", from.row, to.row, every.row, count.row)
}

/// A lookup of names.
enum LookupKeys {
  static let record = Record(
    "lookup", "a lookup of names", NameResolution(),
    [
      Member(
        Key("delay", .time, "how long an answer takes in addition to the delay of the link"),
        { $0.delay }, { $0.delay = $1 }, isSpelled: true),
      Member("cache", .bool, "whether answers are kept", { $0.isCached }, { $0.isCached = $1 }),
    ])
}

/// The keys of a host with a link of its own.
enum MatchKeys {
  static let host = Key(
    "host", .string, .required, "the name of the host; '*' at its beginning is any text")
  static let profile = Key("profile", .any(LinkKeys.anywhere), .required, "its link")
  static let object: ObjectKind = ObjectKind("match", "a match", host.row, profile.row)
}

/// The words for what happens to a link.
enum LinkEventWord: String, CaseIterable, Sendable {
  case blackout, offline, handover, conditioner
}

/// The keys of what happens to a link.
enum EventKeys {
  static let type = Key("type", FieldKind<LinkEventWord>.word(), .required, "what happens")
  static let at = Key("at", .time, .required, "when, from when the link begins to hold")
  static let length = Key("for", .positiveTime, .required, "how long it lasts")
  static let drop = Key(
    "drop", FieldKind<LinkEvent.Dropped>.named,
    "what is lost meanwhile; nothing, but only a real link can be asked")
  static let gap = Key("gap", .time, .standard("0"), "how long nothing gets through")
  static let flushQueue = Key(
    "flushQueue", .bool, .standard("true"), "whether what waits in the queue is lost")
  static let newPath = Key("newPath", .bool, .standard("true"), "whether connections end")
  static let to = Key("to", .any(LinkKeys.changed), "the link that holds afterwards")
  static let use = Key(
    "use", .any(LinkKeys.changed), .required,
    "the link that holds from then on, or 'off' for the one that has this list")
  static let object: ObjectKind = ObjectKind(
    "linkEvent", "an event of a link", type.row, at.row,
    cases: [
      ObjectKind.Case(.word("blackout", of: "type"), length.row, drop.row),
      ObjectKind.Case(.word("offline", of: "type"), length.row),
      ObjectKind.Case(.word("handover", of: "type"), gap.row, flushQueue.row, newPath.row, to.row),
      ObjectKind.Case(.word("conditioner", of: "type"), use.row),
    ])
}

/// The keys of times in which a link is up and down in turn.
enum OutageKeys {
  static let on = Key("on", .positiveTime, .required, "how long it is up each time")
  static let off = Key("off", .positiveTime, .required, "how long it is down each time")
  static let onMean = Key("onMean", .positiveTime, "how long it is up on average, at random")
  static let offMean = Key("offMean", .positiveTime, "how long it is down on average, at random")
  static let drop = Key(
    "drop", FieldKind<LinkEvent.Dropped>.named, .standard("new"), "what is lost while it is down")
  static let object: ObjectKind = ObjectKind(
    "outage", "an outage", onMean.row, offMean.row, drop.row,
    cases: [ObjectKind.Case(.absent("onMean"), on.row, off.row)])
}
