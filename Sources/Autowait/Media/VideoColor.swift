/// The color of pictures by the code points of ITU-T H.273, which files carry as a `colr` box of
/// the kind `nclx` or `nclc`.
package struct VideoColor: Hashable, Sendable {
  /// The chromaticity of the primaries and of white.
  package var primaries: UInt16
  /// The transfer function.
  package var transfer: UInt16
  /// The matrix between RGB and Y´CbCr.
  package var matrix: UInt16

  /// Creates a color of its code points.
  package init(primaries: UInt16, transfer: UInt16, matrix: UInt16) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
  }

  /// High-definition video, which what knows nothing of wide color works in.
  package static let bt709 = VideoColor(primaries: 1, transfer: 1, matrix: 1)

  /// How much of all colors the primaries span: 0 for what BT.709 and SMPTE-C do, 1 for DCI-P3
  /// and P3-D65, 2 for BT.2020.
  private var gamut: Int {
    switch primaries {
    case 9: 2
    case 11, 12: 1
    default: 0
    }
  }

  /// Whether there are colors that BT.709 does not have
  /// (`AVMediaCharacteristicUsesWideGamutColorSpace`).
  package var usesWideGamut: Bool { gamut > 0 }

  /// Whether the transfer function is that of a high dynamic range: PQ or HLG.
  package var hasHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

  /// Whether colors of another space are lost in this one.
  func isNarrower(than other: VideoColor) -> Bool {
    gamut < other.gamut || other.hasHighDynamicRange && !hasHighDynamicRange
  }

  /// Returns the widest of some colors; BT.709 if none is wider.
  package static func widest(of colors: [VideoColor?]) -> VideoColor {
    colors.reduce(.bt709) { widest, color in
      if let color, widest.isNarrower(than: color) { color } else { widest }
    }
  }
}
