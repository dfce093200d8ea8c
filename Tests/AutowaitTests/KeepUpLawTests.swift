import Autowait
import Testing

/// Likely-to-keep-up is a truth at every instant: every turn that exact arithmetic has is told, at
/// its nanosecond, and no other.
///
/// The judge reads what was asked for and what came from the log, and the rates from the link. It
/// shares nothing with the rule: it multiplies its own parabolas out, finds their vertices by
/// division, and looks on both sides of each.
@Suite struct KeepUpLawTests {
  /// Links that fall and rise, files and streams, at four rates of playback.
  @Test(arguments: LawWorlds.batches(2_100, release: 8_000, of: 50))
  func everyTurnIsTold(_ batch: Range<UInt64>) throws {
    for seed in batch {
      let (told, turns) = KeepUpWorld(seed).turns
      #expect(told == turns, law(seed))
    }
  }

  /// Media that needs a few bits a second more has a turn to and fro more, or less: those two
  /// lie as near to each other as they can.
  ///
  /// Which media that is, the judge says. The window is as long as some stretches of the link, so
  /// that all but the turns is passed in loops.
  @Test(arguments: LawWorlds.batches(240, release: 1_200, of: 10))
  func narrowTurnsAreTold(_ batch: Range<UInt64>) throws {
    for seed in batch {
      let drawn = KeepUpWorld(seed, isRegular: true)
      var (low, high) = (drawn.bitRate / 64 * 24, drawn.bitRate / 64 * 104)
      func count(_ bitRate: Int64) -> Int {
        let (told, turns) = KeepUpWorld(seed, isRegular: true, bitRate: bitRate).turns
        #expect(told == turns, law(seed))
        return turns.count
      }
      let least = count(low)
      if count(high) == least { continue }
      while high - low > 8 {
        let middle = low + (high - low) / 16 * 8
        if count(middle) == least { low = middle } else { high = middle }
      }
    }
  }

  /// Over packets each of them is a step of what has come, and nothing comes between them.
  ///
  /// What they bring is read off what the network wrote down of them, not off what players saw.
  @Test(arguments: LawWorlds.batches(300, release: 2_000, of: 10))
  func everyTurnIsToldOverPackets(_ batch: Range<UInt64>) throws {
    for seed in batch {
      let (told, turns) = KeepUpWorld(seed, tier: .packet).turns
      #expect(told == turns, law(seed))
    }
  }

  /// The worlds do have turns while something plays, of files and of streams, and some to and fro.
  @Test(
    arguments: [
      (.ideal, 200, 150, 5), (.packet, 40, 60, 40),
    ] as [(LinkTier, UInt64, Int, Int)])
  func theWorldsHaveTurns(on tier: LinkTier, worlds: UInt64, each: Int, toAndFro: Int) {
    var (files, streams, short) = (0, 0, 0)
    for seed in 0..<worlds {
      let drawn = KeepUpWorld(seed, tier: tier)
      let turns = drawn.turns.judged
      if drawn.segmentCount == nil { files += turns.count } else { streams += turns.count }
      for (one, other) in zip(turns, turns.dropFirst())
      where other.nanoseconds - one.nanoseconds < 100_000_000 {
        short += 1
      }
    }
    #expect(
      files > each && streams > each && short > toAndFro, "\(tier): \(files), \(streams), \(short)")
  }
}

/// A file or a stream over a link whose rate is drawn for each stretch.
struct KeepUpWorld {
  let world: World
  /// When each rate begins, in nanoseconds, and the rate in bit/s.
  let rates: [(start: Int64, rate: Int64)]
  let bitRate: Int64
  let duration: Int64
  let segmentDuration: Int64
  /// The segments of a stream; nil of a file.
  let segmentCount: Int?

  /// The turns that the log tells of, and those that there are.
  var turns: (told: [KeepUpJudge.Turn], judged: [KeepUpJudge.Turn]) {
    var simulation = Simulation(world, tape: PacketTape())
    _ = simulation.run()
    let records = simulation.log.records
    let told = records.compactMap { record -> KeepUpJudge.Turn? in
      guard case .isPlaybackLikelyToKeepUp(let isLikely) = record.event else { return nil }
      return KeepUpJudge.Turn(nanoseconds: record.instant.nanoseconds, isLikely: isLikely)
    }
    var judge = KeepUpJudge(self, arrivals: simulation.tape?.arrivals ?? [])
    return (told, judge.turns(Array(records)))
  }

  /// Draws a world; its media may need another rate than the one for which its link was drawn.
  init(
    _ seed: UInt64, isRegular: Bool = false, bitRate needed: Int64? = nil,
    tier: LinkTier = .ideal
  ) {
    var random = RandomStream(seed: seed, component: "tests", purpose: "keep up")
    func draw(_ least: Int64, _ most: Int64) -> Int64 {
      least + Int64(random.next(below: UInt64(most - least + 1)))
    }
    let bitRate = draw(500, 3_000) * 1_000
    self.bitRate = needed ?? bitRate
    // Of packets there are thousands in a few seconds.
    segmentDuration = draw(1, tier == .ideal ? 10 : 4) * 1_000_000_000
    let count = draw(1, tier == .ideal ? 8 : 5)
    duration = segmentDuration * count
    segmentCount = draw(0, 1) == 0 ? nil : Int(count)
    // Rates are near what the media needs, so that the rule hesitates.
    var (start, rates) = (Int64(0), [(start: Int64, rate: Int64)]())
    let (isCoarse, step) = (
      draw(0, 1) == 0, isRegular ? ([1, 2, 4, 10] as [Int64])[Int(draw(0, 3))] : 0
    )
    for _ in 0..<draw(1, 60) {
      rates.append((start, bitRate * draw(10, 220) / 100))
      start +=
        isRegular
        ? step * 500_000_000 : isCoarse ? draw(1, 8) * 1_000_000_000 : draw(1, 4_000_000_000)
    }
    rates.append((start, bitRate * 2))
    self.rates = rates
    let delay = TimeSpan(nanoseconds: isRegular ? 0 : draw(0, 2) * 25_000_000)
    let track = LinkTrack(
      rates.map {
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: $0.start), rate: BitRate(bitsPerSecond: $0.rate),
          delay: delay)
      })
    let (bits, length) = (BitRate(bitsPerSecond: self.bitRate), MediaTime(nanoseconds: duration))
    let media: Media
    if segmentCount == nil {
      media = Media(.progressive, duration: length, bitRate: bits)
    } else {
      let size = ByteCount(bytes: self.bitRate / 8 * (segmentDuration / 1_000_000_000))
      let span = MediaTime(nanoseconds: segmentDuration)
      var parts = StreamMedia(
        variants: [StreamMedia.Variant(bandwidth: bits, list: 0)],
        lists: [SegmentList((0..<Int(count)).map { _ in (span, size) })])
      parts.playlistSize = .zero
      media = Media(parts)
    }
    var player = PlayerConfiguration(media: [media])
    player.keepUp.verdictTime = .seconds(366 * 86_400)
    let rate = [1_000_000, 1_500_000, 750_000, 1_234_567][Int(draw(0, 3))]
    let isPatient = draw(0, 1) == 0
    let wish: PlayerAction =
      isPatient
      ? .setRate(PlaybackRate(millionths: Int64(rate)))
      : .playImmediately(PlaybackRate(millionths: Int64(rate)))
    var script = [Demo.at(0, .replaceCurrentItem(0)), Demo.at(draw(0, 5_000_000_000), wish)]
    var second: Int64 = 5
    for _ in 0..<draw(0, 3) {
      second += draw(1, 15)
      script.append(Demo.at(second * 1_000_000_000, .pause))
      second += draw(1, 5)
      script.append(Demo.at(second * 1_000_000_000 + 1, wish))
    }
    var world = World(
      links: [LinkProfile(track)], players: [player], script: script, horizon: Demo.seconds(400))
    if tier != .ideal { (world.tier, world.transport) = (tier, TransportPolicy()) }
    self.world = world
  }
}

/// Finds the turns of AVFoundation's rule from what a log says of requests and of the timebase.
struct KeepUpJudge {
  struct Turn: Equatable {
    let nanoseconds: Int64
    let isLikely: Bool
  }

  /// A function c + b·t + a·t² of the nanoseconds of a piece.
  private struct Parabola {
    let a: Int128
    let b: Int128
    let c: Int128

    func value(_ time: Int64) -> Int128 { (a * Int128(time) + b) * Int128(time) + c }

    /// The instants of a piece at which the sign changes, with those beside its vertex.
    func turns(in length: Int64) -> [Int64] {
      var ends = [Int64(0), length]
      if a != 0 {
        let vertex = Int64(clamping: -b / (2 * a))
        for place in [vertex - 1, vertex, vertex + 1] where place > 0 && place < length {
          ends.append(place)
        }
      }
      ends.sort()
      var turns: [Int64] = []
      for (first, last) in zip(ends, ends.dropFirst()) {
        var (low, high) = (first, last)
        let before = value(low) >= 0
        if (value(high) >= 0) == before { continue }
        while high - low > 1 {
          let middle = low + (high - low) / 2
          if (value(middle) >= 0) == before { low = middle } else { high = middle }
        }
        turns.append(high)
      }
      return turns
    }
  }

  private let drawn: KeepUpWorld
  private let window: Int128 = 10_000_000_000
  private let enough: Int128 = 65_536 * 8 * 1_000_000_000
  // Nanobits and nanoseconds.
  private var now: Int64 = 0
  private var received: Int128 = 0
  private var open: Int128 = 0
  private var isOpen = false
  private var isFlowing = false
  /// What had been received when a request had been open for so long, and the rate from there on.
  private var history: [(open: Int128, received: Int128, rate: Int128)] = [(0, 0, 0)]
  /// The playhead in millionths of a nanosecond, and its speed.
  private var playhead: Int128 = 0
  private var speed: Int128 = 0
  /// The rate for which the rule is asked.
  private var wish: Int128 = 1_000_000
  private var isReady = false
  private var isEmpty = true
  private var transfer: Int?
  private var loaded = 0
  private var delivered: Int128 = 0
  /// What the last nanosecond of a response could have brought beyond its end, and when that was.
  private var spare: (data: Int128, at: Int64) = (0, 0)
  private var isComplete = false
  /// What packets brought, and how many of them have come.
  private let arrivals: [PacketTape.Arrival]
  private var arrivalCount = 0

  init(_ drawn: KeepUpWorld, arrivals: [PacketTape.Arrival] = []) {
    (self.drawn, self.arrivals) = (drawn, arrivals)
  }

  /// The turns of a run.
  mutating func turns(_ records: [EventRecord]) -> [Turn] {
    var turns: [Turn] = []
    var isLikely = false
    func note(_ time: Int64, _ holds: Bool) {
      if holds != isLikely { turns.append(Turn(nanoseconds: time, isLikely: holds)) }
      isLikely = holds
    }
    var place = 0
    while place < records.count, !isComplete {
      let told = records[place].instant.nanoseconds
      let instant = min(told, nextArrival?.instant.nanoseconds ?? told)
      while now < instant {
        let end = min(instant, nextEdge(before: instant))
        for time in pieces(until: end) { note(now + time, holds(after: time)) }
        move(to: end)
        if end < instant { note(end, holds(after: 0)) }
      }
      while let arrival = nextArrival, arrival.instant.nanoseconds == instant { take(arrival) }
      while place < records.count, records[place].instant.nanoseconds == instant {
        take(records[place].event)
        place += 1
      }
      note(instant, holds(after: 0))
    }
    return turns
  }

  private var nextArrival: PacketTape.Arrival? {
    arrivalCount < arrivals.count ? arrivals[arrivalCount] : nil
  }

  /// Takes what a packet brings: transfers have the numbers from 1 on in the log.
  private mutating func take(_ arrival: PacketTape.Arrival) {
    arrivalCount += 1
    if Int(arrival.transfer) + 1 != transfer { return }
    let more = Int128(arrival.body) * 8_000_000_000 - delivered
    delivered += more
    received += more
    history[history.count - 1].received += more
  }

  private var rate: Int128 {
    isFlowing ? Int128(drawn.rates.last { $0.start <= now }?.rate ?? 0) : 0
  }

  /// The next instant at which the rate changes, or the window leaves a stretch.
  private func nextEdge(before last: Int64) -> Int64 {
    let next = drawn.rates.first { $0.start > now }?.start ?? last
    guard isOpen else { return next }
    let index = history.partitionPoint { $0.open <= open - window }
    guard index < history.count else { return next }
    return min(next, Int64(history[index].open + window - open) + now)
  }

  private mutating func move(to instant: Int64) {
    let span = Int128(instant - now)
    if isOpen { history[history.count - 1].rate = rate }
    if isFlowing {
      received += rate * span
      delivered += rate * span
    }
    if isOpen { open += span }
    playhead += speed * span
    now = instant
    if history.last.map({ $0.open < open }) == true { history.append((open, received, 0)) }
  }

  /// What had been received when a request had been open for so long, and the rate from there on.
  private func past(_ place: Int128) -> (received: Int128, rate: Int128) {
    let index = history.partitionPoint { $0.open <= place } - 1
    if index < 0 { return (0, 0) }
    let stretch = history[index]
    guard index + 1 < history.count else { return (stretch.received, rate) }
    // The last nanosecond may have brought less than its rate would.
    let received = stretch.received + stretch.rate * (place - stretch.open)
    return (min(received, history[index + 1].received), stretch.rate)
  }

  /// The balances of the rule's questions, and that of the data that a verdict needs.
  private var parabolas: [Parabola] {
    var inWindow = (c: received, b: rate)
    var length = (c: open, b: Int128(isOpen ? 1 : 0))
    if open >= window {
      let left = past(open - window)
      inWindow = (received - left.received, rate - (isOpen ? left.rate : 0))
      length = (window, 0)
    }
    func balance(_ missing: Int128, before deadline: Int128) -> Parabola {
      let left = (c: deadline * 1_000_000 - playhead, b: -speed)
      let needed = (c: missing * wish, b: -rate * wish)
      return Parabola(
        a: inWindow.b * left.b - needed.b * length.b,
        b: inWindow.b * left.c + inWindow.c * left.b - needed.b * length.c - needed.c * length.b,
        c: inWindow.c * left.c - needed.c * length.c)
    }
    var all = [Parabola(a: 0, b: rate, c: received - enough)]
    let total = Int128(drawn.bitRate) * Int128(drawn.duration)
    guard let count = drawn.segmentCount else {
      all.append(balance(total - received, before: Int128(drawn.duration)))
      return all
    }
    let size = Int128(drawn.bitRate) * Int128(drawn.segmentDuration)
    let missing = size * Int128(count - loaded) - delivered
    all.append(balance(missing, before: Int128(drawn.segmentDuration) * Int128(count - 1)))
    all.append(balance(size - delivered, before: Int128(drawn.segmentDuration) * Int128(loaded)))
    return all
  }

  private func pieces(until end: Int64) -> [Int64] {
    Set(parabolas.flatMap { $0.turns(in: end - now) }).filter { $0 < end - now }.sorted()
  }

  private func holds(after time: Int64) -> Bool {
    if isComplete { return true }
    return isReady && !isEmpty && parabolas.allSatisfy { $0.value(time) >= 0 }
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .mediaRequest(let transfer, _, _, _), .segmentRequest(let transfer, _, _, _, _):
      (isOpen, delivered, self.transfer) = (true, 0, transfer)
    case .mediaResponse(let transfer):
      if transfer != self.transfer { return }
      isFlowing = arrivals.isEmpty
      // A response that follows another at once begins in the middle of that one's last nanosecond.
      if spare.at == now {
        delivered = spare.data
        received += spare.data
        history[history.count - 1].received += spare.data
      }
    case .mediaRequestCompleted(let transfer, let bytes):
      // The others bring playlists.
      if transfer != self.transfer { return }
      // A nanosecond may bring more than was asked for.
      let more = delivered - Int128(bytes.bytes) * 8_000_000_000
      spare = (more, now)
      received -= more
      history[history.count - 1].received -= more
      (isOpen, isFlowing, delivered) = (false, false, 0)
      loaded += 1
      isComplete = loaded == drawn.segmentCount ?? 1
    case .itemStatus(.readyToPlay): isReady = true
    case .isPlaybackBufferEmpty(let holds): isEmpty = holds
    case .rate(let rate): wish = rate == .zero ? 1_000_000 : Int128(rate.millionths)
    case .timebaseRate(let rate, let time):
      speed = Int128(rate.millionths)
      playhead = Int128(time.nanoseconds) * 1_000_000
    default: break
    }
  }
}

extension Array {
  /// The number of elements of which something holds, which all lie before the others.
  fileprivate func partitionPoint(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
