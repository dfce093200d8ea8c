import Autowait

/// Reading items, queues and loops.
extension ScenarioReader {
  /// Reads the items that play parts of assets; without any, each asset is an item.
  func readItems(
    _ fields: inout FieldReader, _ named: [ReadItem], into configuration: inout PlayerConfiguration
  ) -> ItemNames {
    let assets = configuration.media
    let assetNames = ItemNames(.medium, named.map { $0.name }, isWhole: !hasLostMedia)
    var isWhole = !hasLostMedia
    let isThere = fields.contains(PlayerKeys.items)
    var media: [Media] = []
    var names: [String?] = []
    for element in fields.elements(PlayerKeys.items) {
      var item = FieldReader(element, ItemKeys.object, findings)
      let name = item.optional(MediaKeys.name)
      if name == nil, item.contains(MediaKeys.name) { isWhole = false }
      let asset = number(item.value(ItemKeys.media), "media", among: assetNames)
      let range = item.optional(ItemKeys.timeRange)
      item.finish()
      guard let asset else {
        isWhole = false
        continue
      }
      checkRange(range, of: assets[asset], item)
      configuration.spans.append(span(range, asset: asset))
      media.append(assets[asset])
      if let name, names.contains(name) {
        item.error("there are two items '\(name.excerpt)'", at: "name")
      }
      names.append(name)
    }
    if !media.isEmpty {
      configuration.media = media
      return ItemNames(.item, names, isWhole: isWhole)
    }
    if isThere, !findings.hasErrors { fields.error("'items' has no items", at: "items") }
    return ItemNames(.item, assetNames.names, isWhole: isWhole)
  }

  /// Returns the number of what a value names, the first if it is missing; nil if it is wrong.
  func number(_ value: JSONValue?, _ key: StaticString, among names: ItemNames) -> Int? {
    guard let value else { return names.names.isEmpty ? nil : 0 }
    return names.number(of: value, FieldLabel(key: "\(key)"), findings)
  }

  /// Returns what is known of each item, by what is known of its asset.
  func expanded(_ assets: [ReadItem], by configuration: PlayerConfiguration) -> [ReadItem] {
    if configuration.spans.isEmpty || assets.isEmpty { return assets }
    return configuration.spans.map { assets[$0.asset] }
  }

  private func span(_ range: [MediaTime?]?, asset: Int) -> ItemSpan {
    ItemSpan(asset: asset, start: range?[0] ?? .zero, end: range?[1])
  }

  private func checkRange(_ range: [MediaTime?]?, of media: Media, _ fields: FieldReader) {
    guard let range else { return }
    let last = range[1] ?? range[0] ?? .zero
    if last <= media.duration, range[0].map({ $0 < media.duration }) ?? true { return }
    fields.error(
      "'timeRange' must lie within the item, which is "
        + "\(Quantity.time.text(media.duration.nanoseconds)) long", at: "timeRange",
      notes: ["AVPlayerLooper raises NSInvalidArgumentException for it"])
  }

  /// Reads how the application plays an item again and again; nil if it does not.
  ///
  /// Its copies are items of their own, behind all others.
  func loop(
    _ player: inout FieldReader, _ names: inout ItemNames,
    _ configuration: inout PlayerConfiguration
  ) -> LoopPlan? {
    guard var fields = player.object(PlayerKeys.loop) else { return nil }
    let technique = fields.required(LoopKeys.by)
    let item = number(fields.value(LoopKeys.item), "item", among: names)
    let given = fields.value(LoopKeys.items).map { list in
      list.elements.compactMap { number($0, "items", among: names) }
    }
    let range = fields.optional(LoopKeys.timeRange)
    let copies = fields.optional(LoopKeys.copies).map { Int($0) }
    let notification = fields.value(of: LoopKeys.notification)
    let request = fields.value(of: LoopKeys.request)
    let delivery = fields.value(of: LoopKeys.kvo)
    let ordering = fields.value(of: LoopKeys.itemOrdering)
    fields.finish()
    let count = configuration.media.count
    guard let item else {
      names.lose()
      return nil
    }
    checkRange(range, of: configuration.media[item], fields)
    guard let technique, !findings.hasErrors else {
      names.lose()
      return nil
    }
    check(copies, of: technique, fields)
    if let given { check(given, of: technique, &fields) }
    if !technique.needsQueue, configuration.queue != nil {
      fields.error("a queue player does not 'rewind': its next item plays instead", at: "by")
    }
    if configuration.spans.isEmpty {
      configuration.spans = configuration.media.indices.map { ItemSpan(asset: $0) }
    }
    var copy = configuration.spans[item]
    if let range { copy = span(range, asset: copy.asset) }
    var items = [item]
    if let given {
      items = given
    } else if technique.needsQueue {
      let made = copies ?? (technique == .queue ? 2 : 3)
      items = Array(count..<count + made)
      configuration.spans += Array(repeating: copy, count: made)
      configuration.media += Array(repeating: configuration.media[item], count: made)
      let isPlayed = configuration.queue?.contains(item) ?? false
      if let taken = names.addCopies(made, of: item, isPlayed: isPlayed) {
        fields.error(
          "a copy of this item is called '\(taken.excerpt)', as another item is", at: "item",
          notes: ["give that one, or this one, another name"])
      }
    } else {
      configuration.spans[item] = copy
    }
    var plan = LoopPlan(technique, items: items)
    (plan.notification, plan.request) = (notification, request)
    (plan.delivery, plan.ordering) = (delivery, ordering)
    return plan
  }

  private func check(_ items: [Int], of technique: LoopTechnique, _ fields: inout FieldReader) {
    if technique == .rewind || technique == .looper {
      fields.error("a '\(technique.word)' plays one item, the 'item'", at: "items")
    }
    if items.isEmpty || Set(items).count < items.count {
      fields.error("'items' must list at least one item, and each only once", at: "items")
    }
    for key in ["item", "copies", "timeRange"] where fields.contains(key) {
      fields.error("'\(key)' cannot be combined with 'items'", at: key)
    }
  }

  private func check(_ copies: Int?, of technique: LoopTechnique, _ fields: FieldReader) {
    guard let copies else { return }
    switch technique {
    case .rewind:
      fields.error("there are no 'copies' where the item itself is rewound", at: "copies")
    case .looper where copies < 3:
      fields.error(
        "a looper makes at least 3 copies", at: "copies", notes: ["so says AVPlayerLooper.h"])
    case .looper, .queue, .treadmill: break
    }
  }

  /// Reads the items that a queue player is made with; nil for a plain player.
  func queue(_ fields: inout FieldReader, _ names: ItemNames) -> [Int]? {
    guard let list = fields.optional(PlayerKeys.queue) else { return nil }
    var numbers: [Int] = []
    for element in list.elements {
      guard let number = number(element, "queue", among: names) else { continue }
      if numbers.contains(number) {
        findings.error(
          "item \(names.word(number)) is in the queue already", at: element,
          notes: ["AVFoundation raises NSInvalidArgumentException for it"])
      }
      numbers.append(number)
    }
    // A few seconds of each is all that a queue is for (WWDC16 503).
    if numbers.count > 10 {
      findings.warning(
        "a queue of \(numbers.count) items is not a playlist", at: list,
        notes: ["add the next items as the current ones end; each takes memory"])
    }
    return numbers
  }

  /// Refuses to advance where there is no queue.
  func requireQueue(_ configuration: PlayerConfiguration, _ fields: FieldReader) {
    if configuration.hasQueue { return }
    fields.error(
      "'actionAtItemEnd' cannot be 'advance': only a queue player can advance",
      at: "actionAtItemEnd",
      notes: [
        "AVFoundation raises NSInvalidArgumentException for it",
        "a queue player has the key 'queue'",
      ])
  }
}
