/// What the rates of a trace are rates of.
public enum TraceKind: String, CaseIterable, Hashable, Sendable {
  /// Of the link itself: what it could carry, as somebody set it or filled it to find out.
  case capacity
  /// Of what arrived over TCP: slow start, losses and the server are in it already.
  case goodput
}
