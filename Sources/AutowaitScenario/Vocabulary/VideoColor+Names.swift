import Autowait

/// The names of code points of ITU-T H.273, as far as AVFoundation has them.
///
/// They are what follows in the names of its constants, such as `AVVideoColorPrimaries_P3_D65`.
extension VideoColor {
  static let primariesNames: [(word: String, meaning: UInt16)] = [
    ("ITU_R_709_2", 1), ("EBU_3213", 5), ("SMPTE_C", 6), ("ITU_R_2020", 9), ("DCI_P3", 11),
    ("P3_D65", 12), ("P22", 22),
  ]
  static let transferNames: [(word: String, meaning: UInt16)] = [
    ("ITU_R_709_2", 1), ("SMPTE_240M_1995", 7), ("Linear", 8), ("IEC_sRGB", 13),
    ("ITU_R_2020", 14), ("SMPTE_ST_2084_PQ", 16), ("SMPTE_ST_428_1", 17), ("ITU_R_2100_HLG", 18),
  ]
  static let matrixNames: [(word: String, meaning: UInt16)] = [
    ("ITU_R_709_2", 1), ("ITU_R_601_4", 6), ("SMPTE_240M_1995", 7), ("ITU_R_2020", 9),
  ]

  /// Colors that are usual, by the names of their primaries.
  ///
  /// Source: "Setting color properties for a specific resolution", and BT.2100 for the last two.
  static let usual: [(word: String, meaning: VideoColor)] = [
    ("ITU_R_709_2", .bt709), ("SMPTE_C", VideoColor(primaries: 6, transfer: 1, matrix: 6)),
    ("P3_D65", VideoColor(primaries: 12, transfer: 1, matrix: 1)),
    ("ITU_R_2020", VideoColor(primaries: 9, transfer: 1, matrix: 9)),
    ("ITU_R_2100_HLG", VideoColor(primaries: 9, transfer: 18, matrix: 9)),
    ("SMPTE_ST_2084_PQ", VideoColor(primaries: 9, transfer: 16, matrix: 9)),
  ]

  /// The color in a word, or in three.
  package var text: String {
    if let word = Self.usual.first(where: { $0.meaning == self })?.word { return word }
    return [
      Self.name(of: primaries, in: Self.primariesNames),
      Self.name(of: transfer, in: Self.transferNames), Self.name(of: matrix, in: Self.matrixNames),
    ].joined(separator: "/")
  }

  private static func name(
    of code: UInt16, in names: [(word: String, meaning: UInt16)]
  ) -> String {
    names.first { $0.meaning == code }?.word ?? "\(code)"
  }
}
