/// A file to begin with: a scenario or an experiment, for one situation.
///
/// The text is the only source of what the template says: its name and its summary are read from
/// it, and the cookbook shows what `autowait init` writes.
struct FileTemplate {
  /// The word that chooses it, by the situation.
  let name: String
  /// The lines of the file; the last one ends, too.
  let text: String

  /// The name that the file gets unless the user gives another one.
  var fileName: String { "\(name).json" }

  /// The templates, in the order of the help and the cookbook.
  static let all: [FileTemplate] = [
    train, tunnel, elevator, hotelWifi, handover, slowServer, lateKeys, live, feed, queue, looper,
    compare,
  ]
}
