import Autowait

/// The runs that a scenario makes by what it varies: one value of each axis, in every combination.
struct VariedRuns: Sendable {
  /// The most runs of one scenario; an experiment takes more.
  static let countMax = 1_000

  /// The values that vary together, the axis that varies slowest first; none of them is empty.
  let axes: [[VariedValue]]
  /// The names of the runs, in their order.
  let names: [String]

  init(_ axes: [[VariedValue]]) {
    self.axes = axes
    var names = [""]
    for axis in axes {
      names = names.flatMap { start in
        axis.map { start.isEmpty ? $0.name : "\(start)_\($0.name)" }
      }
    }
    self.names = names
  }

  /// Returns the values of a run.
  func values(of run: Int) -> [VariedValue] {
    var rest = run
    var values: [VariedValue] = []
    for axis in axes.reversed() {
      values.append(axis[rest % axis.count])
      rest /= axis.count
    }
    return values.reversed()
  }
}

/// A value of an axis of what varies, and what it changes.
struct VariedValue: Sendable {
  /// What it adds to the name of a run.
  let name: String
  /// Where it stands.
  let place: JSONValue
  /// What it puts where.
  let changes: [ScenarioChange]
  /// What is expected besides.
  var expected: [JSONValue] = []
}

/// The name of a run, which can be the name of a file and stand in any shell without quotes.
package enum RunName {
  /// The longest name of a run; with the name of its file it must be one of a file.
  static let lengthMax = 100

  /// Spells a text as the name of a run; empty if nothing of it can stand there.
  ///
  /// Letters and digits of ASCII, full stops, `+`, `-` and `_` stay; whatever else stands between
  /// them becomes one `-`.
  package static func spelled(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isApart = false
    for byte in text.utf8 {
      guard isKept(byte) else {
        isApart = true
        continue
      }
      if isApart, !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
      isApart = false
      bytes.append(byte)
    }
    // A file that begins with a full stop is hidden, and a word with a hyphen looks like an option.
    let trimmed: [UInt8] = [UInt8(ascii: "."), UInt8(ascii: "-")]
    while let first = bytes.first, trimmed.contains(first) { bytes.removeFirst() }
    while let last = bytes.last, trimmed.contains(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a name without what some file systems do not tell apart.
  static func folded(_ name: String) -> String {
    let bytes = name.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isKept(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
