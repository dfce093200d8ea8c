/// Segments that are loaded only to measure the network, and thrown away.
extension StreamSource {
  /// Whether a request brings a segment that is loaded only to measure.
  func isToMeasure(_ request: StreamRequest) -> Bool {
    isMeasuring && request.track == 0 && request.resource.isSegment
  }

  /// Chooses the first variant by what a segment has shown that is then thrown away.
  ///
  /// Of it nothing is kept: the same time of the stream is loaded again, also in the same variant
  /// (`_loadBitrateTestFrag` of hls.js).
  mutating func takeMeasured(_ request: StreamRequest, at now: Instant) {
    isMeasuring = false
    let latency = (request.responded ?? request.opened) - request.opened
    let next = drivers[0].measured(
      request.size, latency: latency, in: now - request.opened, at: now)
    enter(variant: choice.allowed(next))
  }
}
