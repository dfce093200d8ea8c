/// What a flow is certain to get of a link, however many others there are.
struct LeastFlow: Sendable {
  /// The rate of the link, and up to when it holds.
  var rate: BitRate
  var until: Instant
  /// How many flows there are at most.
  var flows: UInt32

  static let none = LeastFlow(rate: .zero, until: .never, flows: 1)

  /// What comes at least from an instant at which data flows up to another one, unless the flow
  /// ends before.
  ///
  /// Each change of the link may cost a flow a nanobit, and there is no more than one in each
  /// nanosecond at which anything flows.
  func data(from now: Instant, to instant: Instant) -> DataAmount {
    let end = min(instant, until)
    if rate == .zero || end <= now { return .zero }
    let span = end - now
    let all = FlowShare(rate: rate, flows: flows, place: flows - 1).data(in: span)
    let lost = DataAmount(nanobits: UInt128(UInt64(span.nanoseconds)))
    return all - min(lost, all)
  }
}
