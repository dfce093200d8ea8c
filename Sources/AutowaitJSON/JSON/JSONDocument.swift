/// A text that was read as JSON: its bytes, and one flat array of what stands where in them.
///
/// The document accepts and rejects exactly what RFC 8259 says, and keeps the text of numbers and
/// strings where it is: reading a value costs its decoding when it is asked for, not before.
package struct JSONDocument: Sendable {
  /// The deepest nesting that is accepted when the caller does not say.
  ///
  /// RFC 8259 section 9 lets a parser set a limit. 512 is that of Foundation (measured), and far
  /// above what a scenario needs.
  package static let depthMaxDefault = 512

  /// The longest text that is accepted, so that positions and counts fit 32 bits.
  package static let bytesMax = (1 << 29) - 1

  /// One object for text and nodes, so that a ``JSONValue`` is two words and one retain.
  final class Storage: Sendable {
    let source: SourceText
    let nodes: [JSONNode]

    init(source: SourceText, nodes: [JSONNode]) {
      self.source = source
      self.nodes = nodes
    }
  }

  let storage: Storage

  /// Reads a text, or says where it stops being JSON.
  package init(
    _ source: SourceText, depthMax: Int = JSONDocument.depthMaxDefault
  ) throws(JSONError) {
    var parser = JSONParser(depthMax: depthMax)
    try parser.parse(source.bytes.span)
    storage = Storage(source: source, nodes: parser.nodes)
  }

  /// The one value that the text consists of.
  package var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// What one value or key is and where it stands; a container comes before what it contains.
struct JSONNode: Sendable {
  /// The offset of the first byte.
  var offset: UInt32
  /// The number of bytes, with the quotation marks of a string and the brackets of a container.
  var length: UInt32
  /// The index of the node after this one and all that it contains.
  var next: UInt32
  /// From the low end: three bits of kind, one that tells of escapes, and the count of children.
  private var info: UInt32

  init(_ kind: JSONKind, offset: Int, length: Int, next: Int, hasEscapes: Bool = false) {
    self.offset = UInt32(truncatingIfNeeded: offset)
    self.length = UInt32(truncatingIfNeeded: length)
    self.next = UInt32(truncatingIfNeeded: next)
    info = UInt32(kind.rawValue) | (hasEscapes ? 8 : 0)
  }

  @inline(__always)
  var kind: JSONKind { JSONKind(rawValue: UInt8(truncatingIfNeeded: info & 7)) ?? .null }

  @inline(__always)
  var hasEscapes: Bool { info & 8 != 0 }

  /// The number of elements of an array or members of an object.
  @inline(__always)
  var count: Int { Int(info >> 4) }

  @inline(__always)
  mutating func addChild() { info &+= 16 }

  var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
}

/// The kinds of JSON values.
package enum JSONKind: UInt8, CaseIterable, Hashable, Sendable {
  /// The literal `null`.
  case null
  /// The literal `false`.
  case `false`
  /// The literal `true`.
  case `true`
  /// A number of any size and precision.
  case number
  /// A string.
  case string
  /// A list of values.
  case array
  /// A list of members, each a key and a value.
  case object

  /// The kind as a message names it, with its article.
  package var description: String {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
