import AutowaitRendering
import Testing

/// A table keeps all of its columns on a narrow terminal: names give way to numbers.
@Suite struct AbridgedTableTests {
  private static let rows = [
    ["", "recording", "startup"], ["✓", "chromium-play__single__outage120__r1", "3.78 / 3.86"],
    ["✗", "gst3", "9.71 / 9.48"],
  ]

  private func lines(_ width: Int) -> [String] {
    TerminalText.table(Self.rows, fitting: width, byAbridging: 1) { $0 < 2 }
  }

  @Test func whatFitsStaysAsItIs() {
    #expect(lines(52) == TerminalText.table(Self.rows) { $0 < 2 })
  }

  @Test func namesLoseTheirMiddle() {
    #expect(
      lines(40) == [
        "   recording                     startup", "✓  chromium-pla…tage120__r1  3.78 / 3.86",
        "✗  gst3                      9.71 / 9.48",
      ])
  }

  @Test(arguments: 24...60)
  func linesFit(_ width: Int) {
    for line in lines(width) { #expect(TerminalText.width(line) <= width, "\(line)") }
  }
}
