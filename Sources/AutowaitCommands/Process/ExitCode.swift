/// What a command ends with; the numbers are public interface and listed by `autowait --help`.
enum ExitCode: Int32, CaseIterable {
  /// All is as it should be.
  case fine = 0
  /// An expectation, threshold or golden log differs, or a run from another one.
  case differs = 1
  /// Wrong usage, or a file that cannot be used.
  case invalid = 2
  /// A defect of the simulator.
  case defect = 3
  /// Nothing was selected.
  case nothing = 4
  /// A replay diverged.
  case diverged = 5
  /// A run reached a bound before its end.
  case cutOff = 6

  /// What the code means, in a few words.
  var meaning: String {
    switch self {
    case .fine: "success"
    case .differs: "an expectation or threshold failed, or two logs differ"
    case .invalid: "wrong usage, or an invalid or unusable file"
    case .defect: "a bug in autowait; please report it"
    case .nothing: "nothing was selected"
    case .diverged: "a replay diverged"
    case .cutOff: "a run reached a limit, such as 'eventsMax'"
    }
  }

  /// Returns the one of two codes that matters more: a defect, then what is invalid.
  ///
  /// A run that was cut off comes before what differs: what is expected of half a run says little,
  /// met or not. It is printed all the same.
  func combined(with other: ExitCode) -> ExitCode {
    let order: [ExitCode] = [.defect, .invalid, .cutOff, .diverged, .differs, .nothing, .fine]
    return order.first { $0 == self || $0 == other } ?? self
  }
}
