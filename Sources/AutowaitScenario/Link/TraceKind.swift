/// What the rates of a link were measured as.
package enum TraceKind: String, CaseIterable, Hashable, Sendable {
  /// What the link could carry, as somebody set it or filled it to find out.
  case capacity
  /// What arrived over TCP: slow start, losses and the server are in it already.
  case goodput
}
