import Autowait

/// The keys of an item that plays a part of an asset, or of an asset that others play, too.
enum ItemKeys {
  static let media = Key(
    "media", .any(ItemNames.schema), .standard("0"),
    "its asset: the name or the number of one of 'media'")
  static let timeRange = Key(
    "timeRange", .timeRange,
    "where it is sought to before it is given to the player, and where it ends; null for its end")
  static let object: ObjectKind = ObjectKind(
    "item", "an item", MediaKeys.name.row, media.row, timeRange.row)
}

/// The keys of a loop.
enum LoopKeys {
  static let by = Key(
    "by", FieldKind<LoopTechnique>.named, .required,
    "what the application does to play an item again")
  static let item = Key(
    "item", .any(ItemNames.schema), .standard("0"), "the item that is played again")
  static let items = Key(
    "items", .any(.list(ItemNames.schema)),
    "the items that take turns in a 'queue' or 'treadmill', instead of copies of one")
  static let timeRange = Key(
    "timeRange", .timeRange, "the part of it that is played; null for its end")
  static let copies = Key(
    "copies", .integer(in: 1...100),
    "the copies of the item that take turns: 2 in a 'queue', else 3; 'rewind' has none")
  static let notification = Key(
    "notification", .time, .standard("0"),
    "how long 'rewind' and 'queue' wait for the notification of an end")
  static let request = Key(
    "request", .time, .standard("0"), "how long what they ask for then takes to reach the player")
  static let kvo = Key(
    "kvo", FieldKind<ObservationDelivery>.named, .standard("queued"),
    "when a 'treadmill' hears of another item: at rest, or in the middle of the change")
  static let itemOrdering = Key(
    "itemOrdering", FieldKind<ItemOrdering>.named, .standard("loopingItemsPrecedeExistingItems"),
    "where the copies of a 'looper' go among the items of 'queue'")
  static let object: ObjectKind = ObjectKind(
    "loop", "a loop", by.row, item.row, items.row, timeRange.row, copies.row, notification.row,
    request.row,
    kvo.row, itemOrdering.row)
}

extension FieldKind where Value == [MediaTime?] {
  /// Where a part of some media starts and ends.
  static var timeRange: FieldKind {
    let times = FieldKind.list(of: FieldKind<MediaTime?>.nullable(.mediaTime))
    return FieldKind(times.schema) { value, label, findings in
      guard let read = times.read(value, label, findings) else { return nil }
      if read.count == 2, let start = read[0], read[1].map({ $0 > start }) ?? true { return read }
      if read.count == value.count {
        findings.error(
          "\(label) must be a start and a later end, as in [\"1 s\", \"5 s\"] or [\"1 s\", null]",
          at: value)
      }
      return nil
    }
  }
}
