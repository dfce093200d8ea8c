import Autowait

/// The keys of a trace in a file.
enum TraceKeys {
  static let trace = Key("trace", .string, .required, "the path of the file")
  static let format = Key(
    "format", .word(TraceFormat.allCases.filter { $0.isRead }.map { ($0.rawValue, $0) }),
    "the name of its format; what it looks like, if it is left out")
  static let profile = Key(
    "profile", .string, "which of several profiles in the file is meant")
  static let columns = Key(
    "columns", .columns, "what the columns of a table are, as \"time:s,rate:kbit/s\"; their names")
  static let object: ObjectKind = ObjectKind(
    "trace", "a trace", trace.row, format.row, profile.row, columns.row)
}

extension LinkKeys {
  /// Whatever names or describes a link.
  static let anywhere: Schema = .either([nameOrPath, file])

  /// Whatever names or describes a link that stands in for another one, and says what differs.
  static let changed: Schema = .either([
    nameOrPath, .forms([Form(.key("trace"), TraceKeys.object), Form(.otherwise, object)]),
  ])

  /// A link, or a trace that is one.
  package static let file: Schema = .forms([
    Form(.key("trace"), TraceKeys.object), Form(.otherwise, complete),
  ])

  /// The name of a link that is built in, perhaps with changes, or a path.
  private static let nameOrPath: Schema = .suggested(as: "linkName") {
    LinkPreset.all.map { $0.name }
  }
}
