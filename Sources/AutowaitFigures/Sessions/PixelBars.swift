/// Bars of a lane, as many as can be seen: those below a pixel are drawn as one with their
/// neighbours, so that a session of any length has a small picture.
struct PixelBars: Sendable {
  /// One or more bars that are drawn as one.
  struct Bar: Hashable, Sendable {
    var start: Length
    var end: Length
    /// The numbers of the first and the last that it stands for.
    var first: Int
    var last: Int

    var count: Int { last - first + 1 }
  }

  /// The most bars of a lane: one in about two pixels.
  static let barsMax = 400

  let bars: [Bar]

  /// Lays bars out that are ordered by their start.
  init(_ spans: [(start: Int64, end: Int64)], on scale: TimeAxis) {
    let single = spans.enumerated().map { number, span in
      let start = scale.place(span.start)
      return Bar(start: start, end: max(start, scale.place(span.end)), first: number, last: number)
    }
    var gap: Length = 1
    var bars = Self.merged(single, gap)
    while bars.count > Self.barsMax, gap.tenths < 1 << 20 {
      gap = gap * 2
      bars = Self.merged(single, gap)
    }
    self.bars = bars
  }

  /// Returns the bars with neighbours that are both narrower than a length joined, if they are as
  /// near.
  private static func merged(_ bars: [Bar], _ gap: Length) -> [Bar] {
    var merged: [Bar] = []
    for bar in bars {
      if let last = merged.last, bar.start - last.end < gap,
        bar.end - bar.start < gap, last.end - last.start < gap
      {
        merged[merged.count - 1].end = max(last.end, bar.end)
        merged[merged.count - 1].last = bar.last
      } else {
        merged.append(bar)
      }
    }
    return merged
  }
}

extension SessionChart.Sample {
  /// Returns samples of which no pixel has more than four: the first, the least, the most and the
  /// last.
  static func thinned(_ samples: [Self], on scale: TimeAxis) -> [Self] {
    var result: [Self] = []
    var start = 0
    while start < samples.count {
      let column = scale.place(samples[start].instant).tenths / 10
      var end = start + 1
      while end < samples.count, scale.place(samples[end].instant).tenths / 10 == column {
        end += 1
      }
      let moment = samples[start..<end]
      if moment.count <= 4 {
        result += moment
      } else {
        var kept = [start, end - 1]
        let known = moment.indices.filter { samples[$0].value != nil }
        if let least = known.min(by: { value(samples[$0]) < value(samples[$1]) }) {
          kept.append(least)
        }
        if let most = known.max(by: { value(samples[$0]) < value(samples[$1]) }) {
          kept.append(most)
        }
        kept.sort()
        for (place, index) in kept.enumerated() where place == 0 || kept[place - 1] != index {
          result.append(samples[index])
        }
      }
      start = end
    }
    return result
  }

  private static func value(_ sample: Self) -> Int64 { sample.value ?? 0 }

  /// Returns the runs of samples between those without a value.
  static func runs(_ samples: [Self]) -> [[(instant: Int64, value: Int64)]] {
    var runs: [[(instant: Int64, value: Int64)]] = [[]]
    for sample in samples {
      if let value = sample.value {
        runs[runs.count - 1].append((sample.instant, value))
      } else if !runs[runs.count - 1].isEmpty {
        runs.append([])
      }
    }
    return runs.filter { !$0.isEmpty }
  }
}

/// The colours of variants, from the lowest rate to the highest: cool ones, so that they are not
/// taken for states, and dark enough for white letters.
enum LevelColor {
  private static let ramp: [(red: Int, green: Int, blue: Int)] = [
    (95, 112, 133), (32, 120, 155), (38, 110, 201), (103, 75, 191),
  ]

  /// Returns the colour of a rung among so many.
  static func of(_ level: Int, among count: Int) -> String {
    let whole = (ramp.count - 1) * 1_000
    let offset = count > 1 ? min(max(level, 0), count - 1) * whole / (count - 1) : whole / 2
    let index = min(ramp.count - 2, offset / 1_000)
    let part = offset - index * 1_000
    let (low, high) = (ramp[index], ramp[index + 1])
    func mixed(_ from: Int, _ to: Int) -> String {
      let digits = String((from * (1_000 - part) + to * part + 500) / 1_000, radix: 16)
      return digits.utf8.count < 2 ? "0" + digits : digits
    }
    return "#" + mixed(low.red, high.red) + mixed(low.green, high.green)
      + mixed(low.blue, high.blue)
  }
}
