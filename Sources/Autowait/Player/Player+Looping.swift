/// What a player's application remembers of a loop.
struct LoopState: Sendable {
  let plan: LoopPlan
  /// `status` of the looper.
  var status = LooperStatus.unknown
  /// How often playback has started again.
  var count = 0
  /// Whether the item was sought back and does not play yet.
  var isRewinding = false
  /// Whether nothing is played again any more.
  var isOver = false
  /// When the current item last became another one, and how often it did at that instant.
  private var changed = Instant.start
  private var changeCount = 0
  /// The items whose ends the application is yet to act on, and when it does.
  var ended: [(item: Int, due: Instant)] = []
  /// The items that were the current one, of which the application has yet to be told.
  var left: [Int] = []
  /// What the player does at the end of an item when the looper has let go of it.
  var actionAfterwards: ActionAtItemEnd?

  /// Whether a looper says what happens at the end of an item.
  var holdsAction: Bool { plan.technique == .looper && actionAfterwards != nil }

  /// Takes note that the current item is another one; returns whether playback goes on in circles
  /// without any time passing, as backwards from the start of each item.
  mutating func turnsOnTheSpot(at now: Instant) -> Bool {
    changeCount = changed == now ? changeCount + 1 : 1
    changed = now
    return changeCount > plan.items.count
  }

  init(_ plan: LoopPlan) {
    assert(!plan.items.isEmpty, "a loop of no items")
    self.plan = plan
  }
}

/// How an application plays an item again and again.
extension Player {
  /// Lets the application begin: with the item, or with its copies in the queue.
  mutating func beginLoop(in moment: inout Moment) {
    guard let plan = loop?.plan else { return }
    switch plan.technique {
    case .rewind: change(to: plan.items[0], in: &moment)
    case .queue, .treadmill: for item in plan.items { insert(item, after: nil, in: &moment) }
    case .looper:
      moment.record(.looperStatus(.unknown))
      loop?.actionAfterwards = actionAtItemEnd
      actionAtItemEnd = .advance
      for item in plan.items { insert(item, after: nil, in: &moment) }
    }
  }

  /// Does what the application does by now; returns whether it did anything.
  mutating func actOnLoop(in moment: inout Moment) -> Bool {
    guard let loop else { return false }
    if !loop.left.isEmpty {
      let item = self.loop?.left.removeFirst() ?? 0
      putBack(item, in: &moment)
      return true
    }
    if let first = loop.ended.first, first.due <= moment.now {
      self.loop?.ended.removeFirst()
      playAgain(first.item, in: &moment)
      return true
    }
    if loop.status == .unknown, loop.plan.technique == .looper, isOfLoop(source.number),
      source.item?.status == .readyToPlay
    {
      // Assumed: its status is known when the first copy's duration is.
      self.loop?.status = .ready
      moment.record(.looperStatus(.ready))
      return true
    }
    return false
  }

  /// When the application acts next.
  var nextTurnOfLoop: Instant { loop?.ended.first?.due ?? .never }

  /// Takes note of an item that has ended, of which the application is notified.
  mutating func noteEndInLoop(at now: Instant) {
    guard let loop, !loop.isOver, isOfLoop(source.number) else { return }
    switch loop.plan.technique {
    case .rewind, .queue:
      let due = now + loop.plan.notification + loop.plan.request
      assert(due >= now, "an application acts before it is told")
      self.loop?.ended.append((source.number, due))
    case .treadmill, .looper: break
    }
  }

  /// Takes note that another item is the current one.
  mutating func noteChangeInLoop(from old: Int?, to new: Int?, in moment: inout Moment) {
    guard let old, isOfLoop(old) else { return }
    if self.loop?.turnsOnTheSpot(at: moment.now) == true { disableLooping(in: &moment) }
    guard let loop else { return }
    if let new, isOfLoop(new), !loop.isOver {
      self.loop?.count += 1
      if loop.plan.technique == .looper { moment.record(.loopCount(loop.count + 1)) }
    }
    switch loop.plan.technique {
    case .rewind, .queue: return
    case .looper:
      if loop.isOver { return restoreAction() }
      putBack(old, in: &moment)
    case .treadmill:
      if loop.isOver { return }
      switch loop.plan.delivery {
      case .nested: putBack(old, in: &moment)
      case .queued:
        self.loop?.left.append(old)
        isStirred = true
      }
    }
  }

  /// Whether the player stands, or is silent, until its application starts it again.
  var awaitsRewind: Bool {
    guard let loop, loop.plan.technique == .rewind else { return false }
    return loop.isRewinding || !loop.ended.isEmpty
  }

  /// Lets playback go on after the present lap.
  mutating func disableLooping(in moment: inout Moment) {
    guard let loop, !loop.isOver else { return }
    self.loop?.isOver = true
    self.loop?.ended = []
    self.loop?.left = []
    guard loop.plan.technique == .looper else { return }
    if loop.status != .failed {
      self.loop?.status = .cancelled
      moment.record(.looperStatus(.cancelled))
    }
    // Assumed: the copies that have not begun leave the queue at once.
    for item in loop.plan.items where queue.upcoming.contains(item) {
      remove(item, in: &moment)
    }
    if !isOfLoop(source.number) { restoreAction() }
  }

  /// Takes note that a copy has failed, with which a looper can do nothing.
  mutating func noteFailureInLoop(of item: Int, in moment: inout Moment) {
    guard let loop, loop.plan.technique == .looper, !loop.isOver, isOfLoop(item) else { return }
    self.loop?.isOver = true
    self.loop?.status = .failed
    moment.record(.looperStatus(.failed))
  }

  private func isOfLoop(_ item: Int) -> Bool { loop?.plan.items.contains(item) ?? false }

  /// Seeks an item that was the current one to its start, and puts it where its next turn is.
  private mutating func putBack(_ item: Int, in moment: inout Moment) {
    guard let loop, !loop.isOver else { return }
    if loop.plan.technique == .treadmill, source.item == nil, queue.upcoming.isEmpty {
      // An empty queue tells of a bad item (the code of WWDC16 503).
      self.loop?.isOver = true
      return
    }
    if source.item != nil, source.number == item { return }
    if queue.upcoming.contains(item) { return }
    queue.rewind(item, to: configuration.span(of: item).start)
    switch loop.plan.ordering {
    case .loopingItemsPrecedeExistingItems where loop.plan.technique == .looper:
      let last = queue.upcoming.last { isOfLoop($0) }
      insert(item, after: last ?? (source.item == nil ? nil : source.number), in: &moment)
    case .loopingItemsPrecedeExistingItems, .loopingItemsFollowExistingItems:
      insert(item, after: nil, in: &moment)
    }
  }

  /// Starts an item again that has ended.
  private mutating func playAgain(_ item: Int, in moment: inout Moment) {
    guard let plan = loop?.plan else { return }
    if plan.technique == .queue {
      if queue.upcoming.contains(item) || (source.item != nil && source.number == item) { return }
      queue.rewind(item, to: configuration.span(of: item).start)
      insert(item, after: nil, in: &moment)
      return
    }
    assert(plan.technique == .rewind, "a queue is rewound")
    guard source.item != nil, source.number == item else { return }
    loop?.count += 1
    loop?.isRewinding = true
    perform(.seek(configuration.span(of: item).start), in: &moment)
    if phase == .paused { perform(.play, in: &moment) }
    // The seek is carried out when the calls of this instant are over.
    isStirred = true
  }

  private mutating func restoreAction() {
    guard let action = loop?.actionAfterwards else { return }
    loop?.actionAfterwards = nil
    actionAtItemEnd = action
  }
}
