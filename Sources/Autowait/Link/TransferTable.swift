/// The transfers of a link that are under way, by ascending number.
///
/// A crowd has a thousand of them, and they end in any order: what moves up when one does is its
/// number and where it lies, not all that is known of it.
struct TransferTable: Sendable {
  /// The numbers, and where each lies among the cells: narrow, as half of them move up when one
  /// ends.
  private var order: [(number: Int32, cell: Int32)] = []
  private var cells: [Transfer] = []
  /// The cells of transfers that have ended.
  private var free: [Int] = []

  @inline(__always)
  var count: Int { order.count }

  /// The transfers, each by its place in the order of their numbers.
  subscript(place: Int) -> Transfer {
    @inline(__always) get { cells[Int(order[place].cell)] }
    @inline(__always) _modify {
      let (number, cell) = order[place]
      yield &cells[Int(cell)]
      assert(cells[Int(cell)].number == number, "transfer \(number) becomes another one")
    }
  }

  /// The place of a transfer that is under way.
  @inline(always)
  func place(of number: Int) -> Int {
    // A closure that takes the numbers out of all of it would copy it.
    let order = order
    let place = order.indices.firstPlace { Int(order[$0].number) >= number }
    precondition(
      place < order.count && Int(order[place].number) == number,
      "transfer \(number) is not under way")
    return place
  }

  /// Adds a transfer, whose number is above all others.
  mutating func append(_ transfer: Transfer) {
    assert(
      order.last.map { Int($0.number) < transfer.number } ?? true, "a transfer is an older one")
    if free.isEmpty {
      order.append((Int32(transfer.number), Int32(cells.count)))
      cells.append(transfer)
    } else {
      let cell = free.removeLast()
      order.append((Int32(transfer.number), Int32(cell)))
      cells[cell] = transfer
    }
  }

  /// Puts another transfer in the place of the last one.
  mutating func replaceLast(with transfer: Transfer) {
    free.append(Int(order.removeLast().cell))
    append(transfer)
  }

  /// Removes the transfer in a place, and returns it.
  mutating func remove(at place: Int) -> Transfer {
    let cell = Int(
      place == order.count - 1 ? order.removeLast().cell : order.remove(at: place).cell)
    free.append(cell)
    return cells[cell]
  }
}
