/// What of a stream has been loaded, what is under way, and what is to be asked for next.
///
/// It decides and remembers; the player that owns it makes the requests. A stream starts in stages,
/// each of which waits for the whole of the one before (WWDC16 503: playlist, keys, playlists of
/// variants, segments one after another): the multivariant playlist; the media playlists beside the
/// keys that are known; the keys that only they name; the initialisation sections; segments. From
/// then on each track goes its own way.
struct StreamSource: Sendable {
  /// How much of the stream is wanted; each goal includes the ones before.
  enum Goal: UInt8, Comparable, Sendable {
    /// Nothing: an asset is lazy (WWDC16 503).
    case nothing
    /// The values of the asset: its multivariant playlist, and keys that are to be preloaded.
    case values
    /// An item: the first media playlists too (observed: openradar 35535890).
    case item
    /// Media: the item is the current one of a player.
    case media

    static func < (left: Goal, right: Goal) -> Bool { left.rawValue < right.rawValue }
  }

  /// How far the start of a stream has come.
  enum LoadingStage: Hashable, Sendable {
    /// Nothing is known of it.
    case multivariantPlaylist
    /// Its variants are known; media playlists, keys and initialisation sections are loaded.
    case start
    /// Everything is there without which no segment is asked for.
    case segments
  }

  let plan: StreamPlan
  var goal = Goal.nothing
  /// Where media begins that a server refuses: what comes before it is loaded, and nothing else.
  var missingFrom = MediaTime.unbounded
  /// Whether keys are loaded as soon as the multivariant playlist names them.
  var preloadsKeys = false
  /// The choice among variants within the limits that hold.
  var choice: VariantChoice
  /// The requests under way, in the order in which they were made.
  var requests: [StreamRequest] = []
  /// The segments that have come and are not in the buffer yet, in the order in which they came,
  /// and how long that takes.
  var appending: [AppendingSegment] = []
  /// Those that are played when enough has come behind them.
  var held: [HeldSegment] = []
  var appendingSpan = TimeSpan.zero
  /// How much longer that takes before there is a picture for the first time.
  var openingSpan = TimeSpan.zero
  /// When the first of them that has had no answer is given up.
  var timesOutAt = Instant.never
  /// The variant to begin with, whatever the network allows: that by which the item follows another
  /// one without a gap (WWDC21 10142).
  var startVariant: Int?
  /// The tracks that are to play, once they are others than the policy says; in an array for the
  /// loader to be small.
  private(set) var changedSelection: [MediaSelection] = []
  /// The lists of the renditions that play with each variant.
  private(set) var renditionLists: [SharedStreamMedia.RenditionLists]
  /// What was played of what is loaded, by media time.
  var played = PlayedMedia()
  /// The variant that is being loaded.
  var variant: Int?
  /// The tracks: the variant's own first.
  var tracks: [StreamTrack] = []
  /// The transfer that brought media last.
  var last: Int?
  private(set) var stage: LoadingStage
  var hasPlaylist: [Bool]
  private(set) var hasKey: [Bool]
  /// The segment for which the variant was last chosen.
  var chosenFor = -1
  /// The variant that a live stream has chosen for it, and goes on in when it asks for the segment.
  var chosenAhead: Int?
  /// The variant that was chosen for a segment that it lacks, while others are looked at.
  var variantBeforeGap: Int?
  /// When the variant was first or last chosen otherwise than before.
  var changedAt: Instant?
  /// Whether a live playlist is due after its last segment's duration, as since iOS 13.
  var reloadsAfterLastSegment = false
  /// The rungs that the next choice is to go down.
  var rungsToFall = 0
  var throughput = ThroughputHistory()
  /// The rule that chooses, if it is a modelled one; in an array for the loader to be small.
  var drivers: [RuleDriver]
  /// The script that chooses, if one does; in an array as well.
  var scripts: [VariantScriptState]
  /// Whether a script says what is given up, and something is left of it.
  var givesUpByScript: Bool
  /// What the access log says of the segments that came since an entry of it last ended.
  var tally = SegmentTally()
  /// What was measured when another variant was last chosen.
  var switchEstimate: VariantEstimate?
  /// Which variant each loaded stretch of the first track is of.
  var pieces = StreamPieces()
  /// How many requests each fault has met.
  var faultsMet: [Int]
  /// How often the multivariant playlist has failed, and when it may be asked for again.
  var commonFailures = 0
  var commonRetryAt = Instant.start
  /// From when on nothing waits to be asked for again.
  var retriesUntil = Instant.start
  /// The keys that have failed and have not come since.
  var failedKeys: [FailedKey] = []
  /// What was asked for at one place and is to be had at another.
  var redirected: [StreamResource] = []
  /// The variants that failed and are left alone for a while.
  var penalties: [Penalty] = []
  /// What is kept of segments that were given up.
  var keptData: [KeptData] = []
  /// Whether no variant was left when one failed, and nothing has come since.
  var isLastVariant = false
  /// Whose turn it is then.
  var turns = VariantTurns()
  /// How many requests have failed since anything came.
  var failuresInARow = 0
  /// How often a variant was left, and how often none was left, since a segment came.
  var leavesInARow = 0
  var roundsInARow = 0
  /// The limits within which variants are chosen.
  private(set) var limits: VariantLimits
  /// When playback ran out of data, until it goes on.
  var stalledAt: Instant?
  /// What is known of each list of a live stream; none of another stream.
  var live: [LivePlaylist]
  /// Whether what is loaded has become longer by segments that are missing on purpose, or were held
  /// back.
  var hasPassedGap = false
  /// Whether the playhead is where playback starts.
  var hasStartPosition: Bool
  var catchUp = LiveCatchUp()
  /// Whether the next segment is loaded only to measure the network.
  var isMeasuring: Bool
  /// Until when what is left of a dropped connection holds up what is asked for.
  var linkIsFreeAt = Instant.start
  /// Up to where a better variant has been loaded over what is there of the picture, and the
  /// segment for which it was chosen; nil if none is.
  var replacement: (edge: MediaTime, chosenFor: Int)?
  /// Which tracks are opened one after the other, until all are; in an array for the loader to be
  /// small.
  var openings: [TrackOpenings] = []
  /// The transfer that brought the latest playlist.
  private(set) var latestPlaylist = 0

  /// Makes a loader that wants nothing yet.
  init(
    _ shared: SharedStreamMedia, _ policy: StreamPolicy, _ requests: RequestPacing,
    _ limits: VariantLimits
  ) {
    let knowsPlaylists = policy.knowsPlaylists && shared.parts.live == nil
    let script = VariantScriptState(policy.adaptation)
    let drivers = Self.drivers(policy, shared, knowsPlaylists: knowsPlaylists)
    // Each property is given its value once: what is written again in an initializer is copied at
    // its end.
    plan = StreamPlan(shared, policy, requests)
    choice = VariantChoice(shared, limits)
    renditionLists = shared.renditionLists(policy.selection)
    self.limits = limits
    stage = shared.parts.playlistSize == nil ? .start : .multivariantPlaylist
    hasPlaylist = shared.parts.lists.map { _ in knowsPlaylists }
    hasKey = shared.parts.keys.map { _ in false }
    faultsMet = shared.parts.faults.map { _ in 0 }
    live = shared.parts.live == nil ? [] : shared.parts.lists.map { _ in LivePlaylist() }
    hasStartPosition = shared.parts.live == nil && shared.parts.startOffset == nil
    scripts = script.map { [$0] } ?? []
    givesUpByScript = script?.isThrough == false
    self.drivers = drivers
    isMeasuring = drivers.contains { $0.measuresFirst }
  }

  /// The modelled rule that chooses, if one does.
  private static func drivers(
    _ policy: StreamPolicy, _ shared: SharedStreamMedia, knowsPlaylists: Bool
  ) -> [RuleDriver] {
    guard case .modelled(let rule) = policy.adaptation.rule, !shared.parts.variants.isEmpty else {
      return []
    }
    let streamMedia = shared.streamMedia
    var driver = RuleDriver(
      rule, streamMedia, bufferMax: policy.forwardBufferLimit ?? .zero,
      expected: policy.adaptation.expectedBitRate)
    if knowsPlaylists {
      for list in streamMedia.lists.indices {
        driver.notePlaylist(of: list, streamMedia, in: .zero)
      }
    }
    return [driver]
  }

  /// A stream of nothing, of which nothing is ever asked for.
  static let ofNothing = StreamSource(
    SharedStreamMedia(StreamMedia(variants: [], lists: [])), StreamPolicy(),
    RequestPacing(order: .furthestBehind), VariantLimits())

  /// Whether there is nothing that could be loaded.
  var isOfNothing: Bool { streamMedia.lists.isEmpty }

  /// What is loaded.
  @inline(__always)
  var streamMedia: StreamMedia { plan.shared.parts }

  /// What is loaded, as it was handed on.
  var shared: SharedStreamMedia { plan.shared }

  /// How it is loaded.
  @inline(__always)
  var policy: StreamPolicy { plan.policy }

  /// Whether what the asset itself needs is there.
  var hasValues: Bool {
    hasMultivariantPlaylist && (!preloadsKeys || streamMedia.sessionKeys.allSatisfy { hasKey[$0] })
  }

  /// Whether it is known which variants there are.
  var hasMultivariantPlaylist: Bool { stage != .multivariantPlaylist }

  /// Whether segments are asked for.
  var isReady: Bool { stage == .segments }

  /// Whether it is known that no variant can be played.
  var isUnplayable: Bool { goal == .media && hasMultivariantPlaylist && variant == nil }

  /// Returns whether a resource is there or under way.
  @inline(__always)
  func isKnown(_ resource: StreamResource) -> Bool {
    requests.contains { $0.resource == resource }
  }
}

// MARK: - What is asked for next

extension StreamSource {
  /// What a choice depends on beside the loader.
  struct LoadContext {
    let now: Instant
    let playhead: MediaTime
    /// Whether no more media is wanted for now.
    var isFull: Bool
    /// Whether playlists that are due may be loaded again.
    let reloads: Bool
    /// What the fill rate's window holds; nil if that is too little for a verdict.
    let estimate: VariantEstimate?
    /// The media ahead at which loading goes on, if it is limited in time.
    var resumesAt: MediaTime?
    /// The media ahead with which a track has enough that looks in intervals, if that is limited.
    var limit: MediaTime?
  }

  /// Returns what is to be asked for now, with the track that needs it; nil if nothing is.
  mutating func next(in context: LoadContext) -> NextRequest? {
    if goal == .nothing { return nil }
    if stage == .multivariantPlaylist {
      if commonRetryAt > context.now || isKnown(.multivariantPlaylist) { return nil }
      return NextRequest(.multivariantPlaylist)
    }
    if preloadsKeys,
      let key = streamMedia.sessionKeys.first(where: { needs(key: $0, at: context.now) })
    {
      return NextRequest(.contentKey(key))
    }
    if goal == .values { return nil }
    if variant == nil { chooseFirst(at: context.now) }
    if context.reloads, let reload = reload(at: context.now) { return reload }
    return stage == .segments ? nextOfTracks(in: context) : nextOfStart(in: context)
  }

  /// Whether a key is missing and may be asked for.
  func needs(key: Int, at now: Instant) -> Bool {
    !hasKey[key] && !isKnown(.contentKey(key))
      && !failedKeys.contains { $0.key == key && $0.retriesAt > now }
  }

  /// Chooses the first variant, and with it the tracks.
  private mutating func chooseFirst(at now: Instant) {
    guard let first = choice.first(policy.adaptation, of: streamMedia) else { return }
    defer { beginOpening() }
    if let startVariant, drivers.isEmpty { return enter(variant: choice.allowed(startVariant)) }
    if isMeasuring { return enter(variant: choice.allowed(drivers[0].lowest)) }
    enter(variant: drivers.isEmpty ? first : choice.allowed(drivers[0].first(at: now)))
  }

  /// The stages before the first segment.
  private mutating func nextOfStart(in context: LoadContext) -> NextRequest? {
    guard variant != nil else { return nil }
    if plan.requests.order.isSerial, requests.contains(where: { !$0.isReload }) { return nil }
    if isProbing { return nextOfProbing(in: context) }
    if !openings.isEmpty, let next = nextOfOpening(in: context) { return next }
    for (place, track) in tracks.enumerated()
    where !hasPlaylist[track.list] && mayLoadPlaylist(of: place) {
      let playlist = StreamResource.mediaPlaylist(track.list)
      if !isKnown(playlist), track.retriesAt <= context.now {
        return NextRequest(playlist, for: place)
      }
    }
    guard goal == .media, hasStartPosition,
      tracks.indices.allSatisfy({ hasPlaylist[tracks[$0].list] || !mayLoadPlaylist(of: $0) })
    else { return nil }
    let needs = tracks.indices.map {
      isOpened($0) ? need(of: tracks[$0], at: context.playhead) : nil
    }
    let missing = needs.compactMap { $0?.key }.filter { !hasKey[$0] }
    if !missing.isEmpty {
      let key = missing.first { self.needs(key: $0, at: context.now) }
      return key.map { NextRequest(.contentKey($0)) }
    }
    var hasSections = true
    for (place, track) in tracks.enumerated() where place > 0 || !isMeasuring {
      guard let need = needs[place], let section = track.section(need) else { continue }
      if !isKnown(section), track.retriesAt <= context.now {
        return NextRequest(section, for: place)
      }
      // One that failed is under way no more, and yet it is not there.
      hasSections = false
    }
    if hasSections, !requests.contains(where: { $0.resource.isMedia }) { stage = .segments }
    return nil
  }

  /// What the segment at a time needs.
  private func need(of track: StreamTrack, at time: MediaTime) -> SegmentList.SegmentStretch? {
    if track.isIdle { return nil }
    let list = streamMedia.lists[track.list]
    let segment = list.segment(at: time, near: track.guess)
    return segment < list.count ? list.stretch(of: segment) : nil
  }
}

/// What a request costs: its bytes, the way to its host if that is another one than the stream's,
/// and the delay of its server alone.
struct RequestCost {
  var size: ByteCount
  var route: Int?
  var serverDelay = TimeSpan.zero
}

extension StreamSource {
  /// Returns what goes wrong with a request that is made now, if anything, and what it costs.
  mutating func meet(
    _ resource: StreamResource, isOffline: Bool, at now: Instant
  ) -> (fault: Fault.Outcome?, cost: RequestCost) {
    // What never leaves the device meets nothing.
    let fault =
      isOffline
      ? nil : meetFault(resource) ?? (isRemoved(resource, at: now) ? .status(404) : nil)
    var cost = cost(of: resource, at: now)
    if linkIsFreeAt > now { cost.serverDelay += linkIsFreeAt - now }
    return (fault, cost)
  }

  /// Whether a request that is made now brings no data, and is not held by the server.
  func isEmpty(_ resource: StreamResource, at now: Instant) -> Bool {
    let cost = cost(of: resource, at: now)
    return cost.size == .zero && cost.serverDelay == .zero
  }

  @inline(always)
  private func cost(of resource: StreamResource, at now: Instant) -> RequestCost {
    if plan.requests.probe != nil, let size = probedSize(of: resource) {
      return RequestCost(size: size)
    }
    guard case .mediaPlaylist(let list) = resource else {
      var cost = shared.cost(of: resource)
      if !keptData.isEmpty { cost.size = rest(of: resource, of: cost.size) }
      return cost
    }
    let hold = hold(of: list, at: now)
    let size = streamMedia.playlistSize(of: streamMedia.lists[list], at: now + hold)
    return RequestCost(size: size, serverDelay: hold)
  }
}

extension SharedStreamMedia {
  /// What a request costs for what is no playlist of media.
  fileprivate func cost(of resource: StreamResource) -> RequestCost {
    switch resource {
    case .multivariantPlaylist, .mediaPlaylist:
      return RequestCost(size: parts.playlistSize ?? .zero)
    case .contentKey(let number):
      let key = parts.keys[number]
      return RequestCost(size: key.size, route: key.route, serverDelay: key.serverDelay)
    case .initialization(let list, let number):
      return RequestCost(size: parts.lists[list].initializations[number])
    case .segment(let list, let number):
      return RequestCost(size: parts.lists[list].size(of: number))
    case .part(let list, let number, _):
      guard let span = span(of: resource) else { return RequestCost(size: .zero) }
      return RequestCost(size: parts.lists[list].size(of: number, from: span.start, to: span.end))
    }
  }
}

// MARK: - What has come

extension StreamSource {
  /// Takes note of a request that was made.
  mutating func begin(_ request: inout StreamRequest) {
    request.span = shared.span(of: request.resource)
    request.variant = variant ?? 0
    if case .mediaPlaylist(let list) = request.resource, streamMedia.live != nil {
      request.isReload = live[list].loadBegan != nil
    }
    request.listKnown = listKnown(to: request.resource)
    if request.resource.isMedia {
      request.looksAt = plan.timers.firstLook(
        at: request.opened, list: request.resource.list ?? 0, shared)
    } else {
      request.looksAt = plan.timers.firstLook(atPlaylistOrKey: request, shared)
    }
    beginAsking(about: &request)
    requests.append(request)
    noteTimeout()
  }

  /// Takes note of how a transfer goes on; returns the time in which packets have brought media
  /// since that was last done.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) -> TimeSpan {
    var active = TimeSpan.zero
    for index in requests.indices where requests[index].transfer == transfer.number {
      active = requests[index].follow(transfer, at: now)
    }
    return active
  }

  /// Takes note of the first byte of a response.
  mutating func noteResponse(_ transfer: Int, record: Int, at now: Instant) {
    for index in requests.indices where requests[index].transfer == transfer {
      requests[index].noteResponse(record, at: now)
      if !drivers.isEmpty { noteResponseForRule(to: index, at: now) }
    }
    noteTimeout()
  }

  @inline(never)
  private mutating func noteResponseForRule(to index: Int, at now: Instant) {
    if isAsked(about: requests[index]), let next = drivers[0].noteResponse(at: now) {
      requests[index].asksAt = next
    }
  }

  /// Takes a request that is over out of those under way.
  @inline(always)
  mutating func end(_ transfer: Int) -> StreamRequest {
    guard let index = requests.firstIndex(where: { $0.transfer == transfer }) else {
      preconditionFailure("transfer \(transfer) has ended, which is not under way")
    }
    defer { noteTimeout() }
    return requests.remove(at: index)
  }

  /// Takes note of something that arrived whole.
  mutating func take(_ request: StreamRequest, playhead: MediaTime, at now: Instant) {
    if let place = request.track, place < tracks.count,
      tracks[place].failures.areOver(with: request.resource)
    {
      tracks[place].failures = TrackFailures()
      if place == 0 { isLastVariant = false }
    }
    failuresInARow = 0
    let kept = keptData.isEmpty ? .zero : takeKept(of: request.resource)
    switch request.resource {
    case .multivariantPlaylist: stage = .start
    case .mediaPlaylist(let list):
      hasPlaylist[list] = true
      latestPlaylist = request.transfer
      takePlaylist(list, loadBegan: request.opened, responded: request.responded ?? now)
      if !drivers.isEmpty {
        let span = now - (request.responded ?? request.opened)
        drivers[0].notePlaylist(of: list, streamMedia, in: span)
      }
    case .contentKey(let key):
      hasKey[key] = true
      failedKeys.removeAll { $0.key == key }
    case .initialization(let list, let number):
      if !openings.isEmpty { openings[0].take(request) }
      if let place = request.track, place < tracks.count {
        tracks[place].initialization = (list, number)
      }
    case .segment, .part:
      if !openings.isEmpty { openings[0].take(request) }
      guard let place = request.track, place < tracks.count,
        let (start, end) = request.span
      else { return }
      if !drivers.isEmpty { noteReads(request, of: place, at: now) }
      if takeProbe(request, of: place, at: now) { return }
      if replacement != nil { noteReplacement(request) }
      tracks[place].looksAt = now
      let plays = MediaTime(nanoseconds: end.nanoseconds - start.nanoseconds)
      note(request, kept: kept, plays: plays, at: now)
      if isToMeasure(request) { return takeMeasured(request, at: now) }
      forgetFailures()
      append(request, at: now)
      if place == 0 {
        throughput.note(
          request.size.begunBytes, in: now - request.opened,
          segmentsMax: policy.adaptation.segmentsMax)
        if !drivers.isEmpty {
          // What has just been appended was not there before.
          let level = MediaTime(nanoseconds: max(0, start.nanoseconds - playhead.nanoseconds))
          drivers[0].note(
            request.size, of: variant ?? 0,
            latency: (request.responded ?? request.opened) - request.opened,
            in: now - request.opened, (level, playhead, now))
        }
      }
    }
  }

  mutating func insert(_ start: MediaTime, _ end: MediaTime, into place: Int) {
    tracks[place].loaded.insert(.init(start: start, end: end))
  }

  /// Throws away what is loaded of a track, or of all, and what is being appended there.
  mutating func drop(_ place: Int? = nil) {
    openings = []
    replacement = nil
    appending.removeAll { place == nil || $0.request.track == place }
    held.removeAll { place == nil || $0.segment.request.track == place }
    for index in tracks.indices where place ?? index == index {
      tracks[index].loaded = LoadedRanges()
      tracks[index].joinsBefore = nil
    }
    if place ?? 0 > 0 { return }
    pieces = StreamPieces()
    if place == nil { played = PlayedMedia() }
    chosenFor = -1
  }

  /// Takes over what an asset of the same stream has loaded: its playlist and its keys.
  mutating func keepValues(of other: StreamSource) {
    if other.hasMultivariantPlaylist { stage = .start }
    hasKey = other.hasKey
  }

  /// What another item of the same asset has of the stream from the start: its playlists, its keys
  /// and its segments; nil of a live stream, or if that is nothing.
  ///
  /// What is selected is the item's own, so what another one loaded of other tracks is no use.
  var ofSameAsset: StreamSource? {
    guard hasMultivariantPlaylist, !isLive else { return nil }
    var other = self
    (other.requests, other.appending, other.held) = ([], [], [])
    (other.timesOutAt, other.stalledAt) = (.never, nil)
    (other.failuresInARow, other.isLastVariant) = (0, false)
    other.tally = SegmentTally()
    other.played = played.ofSameAsset
    if selection != policy.selection { _ = other.select(policy.selection, at: .zero) }
    other.changedSelection = []
    other.joinTracks(at: .zero, hasJumped: true)
    return other
  }

  /// Lets the next choice go down, as after a stall.
  mutating func fall() {
    guard case .avfoundation = policy.adaptation.rule else { return }
    rungsToFall = policy.adaptation.rungsAfterStall
    chosenFor = -1
  }

  /// Tells a rule that reckons with it at which rate media is to play.
  @inline(__always)
  mutating func setRate(_ rate: PlaybackRate) {
    if !drivers.isEmpty, drivers[0].rate != rate { drivers[0].rate = rate }
  }

  /// Which tracks are to play.
  var selection: MediaSelection {
    get { changedSelection.first ?? policy.selection }
    set {
      changedSelection = [newValue]
      renditionLists = shared.renditionLists(newValue)
    }
  }

  /// Puts other limits on the choice among variants.
  ///
  /// Before the first segment the first variant is chosen again; what was loaded of the old one is
  /// wasted (observed: openradar 35535890). Later the next segment follows them.
  mutating func limit(to limits: VariantLimits) {
    self.limits = limits
    choice = VariantChoice(shared, limits)
    choice.exclude(penalties.map { $0.variant })
    if variant != nil, pieces.isEmpty, appending.isEmpty, held.isEmpty,
      !requests.contains(where: { $0.track == 0 && $0.resource.isMedia })
    {
      // Of a modelled rule the first choice is remembered.
      chooseFirst(at: .start)
      stage = .start
    }
    chosenFor = -1
  }
}
