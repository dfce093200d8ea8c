import Autowait
import AutowaitRendering

extension InferredLinks {
  /// Says what the link was, how sure that is, and how well requests fit.
  package func text(of log: SessionLog, style: TextStyle) -> String {
    var page = TextPage(style)
    let whole = seen.reduce(Int64(0)) { $0 + ($1.to - $1.from).nanoseconds }
    page.paragraph([], "\(log.name): \(log.form.rawValue), \(Plural.text(fits.count, "transfer"))")
    page.paragraph(
      [],
      "something under way for \(Self.seconds(whole)) s, "
        + "round trip \(Self.seconds(roundTrip.nanoseconds)) s")
    for note in log.notes { page.paragraph([], note, .dim) }
    page.separate()
    for row in TerminalText.table(rates, isText: { _ in false }) { page.line(row) }
    page.separate()
    let good = fits.filter { away($0) <= $0.tolerance.nanoseconds * 3 }.count
    page.paragraph(
      [], "\(good) of \(Plural.text(fits.count, "transfer")) end when they did on the best link")
    if let worst = fits.max(by: { misfit($0) < misfit($1) }), away(worst) > 0 {
      page.paragraph(
        [],
        "worst: request \(worst.request + 1) was over at "
          + "\(Self.seconds((worst.recorded - .start).nanoseconds)) s, and is at "
          + "\(Self.seconds((worst.simulated - .start).nanoseconds)) s")
    }
    if !chainsAgree {
      page.paragraph([], "the chains do not agree: the links are less sure than they look")
    }
    if leftOut > 0 { page.line("\(Plural.text(leftOut, "transfer")) could not be modelled") }
    return page.text
  }

  private func away(_ fit: Fit) -> Int64 { abs((fit.recorded - fit.simulated).nanoseconds) }

  /// How far a request is off, in hundredths of what it may be.
  private func misfit(_ fit: Fit) -> Int64 {
    Int64(clamping: Int128(away(fit)) * 100 / Int128(max(1, fit.tolerance.nanoseconds)))
  }

  /// The rate of the best link in each of its pieces, and the range of eight in ten links there.
  private var rates: [[String]] {
    var rows = [["from s", "kbit/s", "10 %", "90 %"]]
    let pieces = Array(best.samples)
    for (place, piece) in pieces.enumerated() {
      let end =
        place + 1 < pieces.count ? pieces[place + 1].start : seen.last.map { $0.to - .start }
      let middle = TimeSpan(
        nanoseconds: piece.start.nanoseconds / 2 + (end ?? piece.start).nanoseconds / 2)
      let others = samples.map { Self.rate($0, at: middle) }.sorted()
      rows.append(
        [
          Self.seconds(piece.start.nanoseconds), "\(piece.rate.bitsPerSecond / 1_000)",
          "\(others[others.count / 10] / 1_000)", "\(others[others.count * 9 / 10] / 1_000)",
        ])
    }
    return rows
  }

  private static func rate(_ track: LinkTrack, at instant: TimeSpan) -> Int64 {
    track.samples.last { $0.start <= instant }?.rate.bitsPerSecond ?? 0
  }

  /// Nanoseconds as seconds with two decimals.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let hundredths = (nanoseconds.magnitude + 5_000_000) / 10_000_000
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
