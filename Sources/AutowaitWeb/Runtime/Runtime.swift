// What Embedded Swift leaves to its host, for a module of WebAssembly without a host: memory,
// numbers of 128 bits, and a seed for hashes that is always the same.

#if arch(wasm32)

@_extern(c, "llvm.wasm.memory.grow.i32")
private func growMemory(_ memory: Int32, _ pages: Int32) -> Int32

@_extern(c, "llvm.wasm.memory.size.i32")
private func pageCount(_ memory: Int32) -> Int32

/// The memory of the module, which only grows.
///
/// Blocks have sizes that are powers of two; those that are free are linked in a list for each.
private struct Heap {
  /// The bytes before a block: they hold its class, and keep the block on a multiple of 16.
  private static let headerSize: UInt = 16
  private static let pageSize: UInt = 65_536
  /// How many pages are asked for at least: 1 MiB.
  private static let growthMin: UInt = 16

  /// The first free block of each class; the smallest class has 16 bytes.
  private var free: InlineArray<28, UInt> = InlineArray(repeating: 0)
  private var next: UInt = 0
  private var end: UInt = 0

  /// Returns the address of a block; 0 if there is no more memory.
  mutating func allocate(_ size: Int) -> UInt {
    let number = size <= 16 ? 0 : Int.bitWidth - (size - 1).leadingZeroBitCount - 4
    guard number < free.count else { return 0 }
    let head = free[number]
    if head != 0, let link = UnsafePointer<UInt>(bitPattern: head) {
      free[number] = unsafe link.pointee
      return head
    }
    let length = Self.headerSize + (16 << UInt(number))
    guard reserve(length) else { return 0 }
    let block = next + Self.headerSize
    next += length
    if let header = UnsafeMutablePointer<UInt>(bitPattern: block - Self.headerSize) {
      unsafe header.pointee = UInt(number)
    }
    return block
  }

  mutating func release(_ block: UInt) {
    guard let header = UnsafePointer<UInt>(bitPattern: block - Self.headerSize),
      let link = UnsafeMutablePointer<UInt>(bitPattern: block)
    else { return }
    let number = Int(unsafe header.pointee)
    unsafe link.pointee = free[number]
    free[number] = block
  }

  /// Sees to it that so many bytes can be taken; returns whether they can.
  private mutating func reserve(_ length: UInt) -> Bool {
    if end == 0 {
      end = UInt(pageCount(0)) * Self.pageSize
      next = end
    }
    if length <= end - next { return true }
    let pages = max((length - (end - next) + Self.pageSize - 1) / Self.pageSize, Self.growthMin)
    if growMemory(0, Int32(pages)) < 0 { return false }
    end += pages * Self.pageSize
    return true
  }
}

nonisolated(unsafe) private var heap = Heap()

@_cdecl("posix_memalign")
func allocate(_ block: UnsafeMutablePointer<UInt>, _ alignment: Int, _ size: Int) -> Int32 {
  if alignment > 16 { return 12 }
  unsafe block.pointee = heap.allocate(size)
  return unsafe block.pointee == 0 ? 12 : 0
}

@_cdecl("__wrap_free")
func free(_ block: UInt) {
  if block != 0 { heap.release(block) }
}

/// A run may not depend on the order of hashes; equal seeds make that easy to see.
@_cdecl("arc4random_buf")
func seed(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) {
  for index in 0..<count { unsafe bytes[index] = 0x5A }
}

/// What a trap would say has no place to go; only a build without optimization says anything.
@_cdecl("putchar")
func put(_ character: Int32) -> Int32 { character }

@_cdecl("memcmp")
func compare(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  for index in 0..<count where unsafe left[index] != right[index] {
    return unsafe left[index] < right[index] ? -1 : 1
  }
  return 0
}

private func store(_ value: WideInteger, at place: UnsafeMutablePointer<UInt64>) {
  unsafe place[0] = value.low
  unsafe place[1] = value.high
}

@_cdecl("__multi3")
func multiply(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ low2: UInt64,
  _ high2: UInt64
) {
  let value = WideInteger(low: low, high: high) &* WideInteger(low: low2, high: high2)
  unsafe store(value, at: result)
}

@_cdecl("__ashlti3")
func shiftLeft(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ bits: Int32
) {
  let value = WideInteger(low: low, high: high) &<< UInt64(bits)
  unsafe store(value, at: result)
}

@_cdecl("__lshrti3")
func shiftRight(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ bits: Int32
) {
  let value = WideInteger(low: low, high: high).shiftedRight(UInt64(bits))
  unsafe store(value, at: result)
}

@_cdecl("__ashrti3")
func shiftRightSigned(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ bits: Int32
) {
  let value = WideInteger(low: low, high: high).shiftedRight(UInt64(bits), keepsSign: true)
  unsafe store(value, at: result)
}

@_cdecl("__udivti3")
func divide(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ low2: UInt64,
  _ high2: UInt64
) {
  let value = WideInteger(low: low, high: high)
    .quotientAndRemainder(dividingBy: WideInteger(low: low2, high: high2)).quotient
  unsafe store(value, at: result)
}

@_cdecl("__umodti3")
func remainder(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ low2: UInt64,
  _ high2: UInt64
) {
  let value = WideInteger(low: low, high: high)
    .quotientAndRemainder(dividingBy: WideInteger(low: low2, high: high2)).remainder
  unsafe store(value, at: result)
}

@_cdecl("__divti3")
func divideSigned(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ low2: UInt64,
  _ high2: UInt64
) {
  let value = WideInteger(low: low, high: high)
    .signedQuotient(dividingBy: WideInteger(low: low2, high: high2))
  unsafe store(value, at: result)
}

@_cdecl("__modti3")
func remainderSigned(
  _ result: UnsafeMutablePointer<UInt64>, _ low: UInt64, _ high: UInt64, _ low2: UInt64,
  _ high2: UInt64
) {
  let value = WideInteger(low: low, high: high)
    .signedRemainder(dividingBy: WideInteger(low: low2, high: high2))
  unsafe store(value, at: result)
}

#endif
