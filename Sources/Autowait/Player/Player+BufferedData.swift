/// How much data of streams a player holds, for who asks.
extension Player {
  /// Takes note of what is loaded ahead of the playhead, and of the next items.
  ///
  /// Segments come as a whole, and between them the playhead only takes away: looked at whenever
  /// something has happened, the highest amount is never missed. What items of one asset share is
  /// there once.
  mutating func measureBufferedData(at now: Instant) {
    var data = bufferedData(at: now)
    for standby in queue.standbys
    where !configuration.isOfSameAsset(standby.item, source.number) {
      data += standby.player.bufferedData(at: now)
    }
    meter.bufferedDataMax = max(meter.bufferedDataMax, data)
  }

  /// The data of the current item that is loaded ahead of its playhead.
  private func bufferedData(at now: Instant) -> DataAmount {
    guard source.buffer.isStream else { return .zero }
    return source.stream.bufferedData(
      from: currentTime(at: now), isForwards: timebase.rate >= .zero)
  }
}
