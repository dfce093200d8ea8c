import Autowait

/// The keys of how frames are received.
enum FrameKeys {
  static let isAttached = Key(
    "isAttached", .bool, .standard("true"), "whether it is attached at the start")
  static let allowsWideColor = Key(
    "allowsWideColor", .bool, .standard("false"), "AVVideoAllowWideColorKey")
  static let color = Key("color", .workingColor, "AVVideoColorPropertiesKey")
  static let output: ObjectKind = ObjectKind(
    "videoOutput", "a video output", isAttached.row, allowsWideColor.row, color.row)
  static let reader: ObjectKind = ObjectKind(
    "assetReader", "an asset reader", allowsWideColor.row, color.row)
  static let writer: ObjectKind = ObjectKind("assetWriter", "an asset writer", color.row)
}

/// The keys of a video composition.
enum CompositionKeys {
  static let color = Key(
    "color", .workingColor, "the color that it works in; that of its source")
  static let compositor = Key(
    "compositor", .object(of: CompositorKeys.object), "a compositor of the app's own")
  static let object: ObjectKind = ObjectKind(
    "composition", "a video composition", color.row, compositor.row)
}

/// The keys of a compositor.
enum CompositorKeys {
  static let supportsWideColor = Key(
    "supportsWideColorSourceFrames", .bool, .standard("false"), "whether it handles wide color")
  static let supportsHDR = Key(
    "supportsHDRSourceFrames", .bool, .standard("false"),
    "whether it handles a high dynamic range, and so wide color")
  static let object: ObjectKind = ObjectKind(
    "compositor", "a compositor", supportsWideColor.row, supportsHDR.row)
}

extension FieldKind where Value == UInt16 {
  /// A code point of H.273, or its name.
  static func codePoint(_ names: [(word: String, meaning: UInt16)]) -> FieldKind {
    let read: Read = { value, label, findings in
      for (word, meaning) in names where value.isString(word) { return meaning }
      if case .exact(let number)? = value.decimal?.integer(scaledBy: 1), 0...255 ~= number {
        return UInt16(number)
      }
      if value.kind == .string {
        findings.errorWrongWord(value, label, names.map { $0.word })
      } else {
        findings.error("\(label) must be a name, or a number from 0 to 255", at: value)
      }
      return nil
    }
    return FieldKind(
      .either([.words(names.map { $0.word }), .integer(0...255)]), read,
      write: { json, number, _ in json.integer(Int64(number)) })
  }
}

extension FieldKind where Value == VideoColor {
  /// A color: the name of a usual one, or its three code points.
  static var color: FieldKind {
    .record(
      Record(
        "color", "a color", VideoColor(primaries: 0, transfer: 0, matrix: 0),
        [
          Member(
            Key(
              "primaries", .codePoint(VideoColor.primariesNames), .required,
              "the primaries, by name or by their number in H.273"),
            { $0.primaries }, { $0.primaries = $1 }),
          Member(
            Key(
              "transfer", .codePoint(VideoColor.transferNames), .required,
              "the transfer function, likewise"),
            { $0.transfer }, { $0.transfer = $1 }),
          Member(
            Key("matrix", .codePoint(VideoColor.matrixNames), .required, "the matrix, likewise"),
            { $0.matrix }, { $0.matrix = $1 }),
        ]), or: .word(VideoColor.usual))
  }
}

extension FieldKind where Value == WorkingColor {
  /// A color to work in, or `widest`.
  static var workingColor: FieldKind {
    let color = FieldKind<VideoColor>.color
    return FieldKind(.either([.words(["widest"]), color.schema])) { value, label, findings in
      if value.isString("widest") { return .widest }
      return color.read(value, label, findings).map { .of($0) }
    }
  }
}
