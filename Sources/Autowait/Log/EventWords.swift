/// An event as numbers: which case it is, and what it tells.
struct EventWords {
  /// Which case, in the lowest byte; above it what two words do not hold.
  let code: UInt64
  let a, b: UInt64
  /// The value that the event announces; expectations and the steps of scripts can ask for it.
  let announced: UInt64?

  /// Creates the words of an event that announces nothing.
  @inline(__always)
  init(_ code: UInt64) { self.init(code, 0, 0, nil) }

  @inline(__always)
  init(_ code: UInt64, _ a: some EventWord) { self.init(code, a.word, 0, nil) }

  @inline(__always)
  init(_ code: UInt64, _ a: some EventWord, _ b: some EventWord) {
    self.init(code, a.word, b.word, nil)
  }

  /// Creates the words of an event that announces a value.
  @inline(__always)
  init(_ code: UInt64, _ a: some EventWord, announces value: some EventWord) {
    self.init(code, a.word, 0, value.word)
  }

  @inline(__always)
  init(_ code: UInt64, _ a: some EventWord, _ b: some EventWord, announces value: some EventWord) {
    self.init(code, a.word, b.word, value.word)
  }

  @inline(__always)
  private init(_ code: UInt64, _ a: UInt64, _ b: UInt64, _ announced: UInt64?) {
    (self.code, self.a, self.b, self.announced) = (code, a, b, announced)
  }

  /// Returns a code with the number of a request, and the item, counted from 1, if that is not the
  /// current one.
  @inline(__always)
  static func code(_ code: UInt64, _ transfer: Int, _ item: UInt16?) -> UInt64 {
    assert(code <= 0xFF, "the code \(code) of an event takes more than a byte")
    assert(0..<1 << 40 ~= Int64(transfer), "the number \(transfer) of a request reaches the item")
    return code | transfer.word << 8 | (item.map { UInt64($0) + 1 } ?? 0) << 48
  }

  /// Returns the item in a code.
  static func item(of code: UInt64) -> UInt16? {
    code >> 48 == 0 ? nil : UInt16(truncatingIfNeeded: code >> 48 - 1)
  }
}

/// A value that an event tells in one word, and that can be made of the word again.
protocol EventWord {
  var word: UInt64 { get }
  init(of word: UInt64)
}

extension UInt64: EventWord {
  @inline(__always)
  var word: UInt64 { self }
  init(of word: UInt64) { self = word }
}

extension Int64: EventWord {
  @inline(__always)
  var word: UInt64 { UInt64(bitPattern: self) }
  init(of word: UInt64) { self.init(bitPattern: word) }
}

extension Int: EventWord {
  @inline(__always)
  var word: UInt64 { UInt64(bitPattern: Int64(self)) }
  init(of word: UInt64) { self.init(Int64(bitPattern: word)) }
}

extension Int32: EventWord {
  @inline(__always)
  var word: UInt64 { UInt64(UInt32(bitPattern: self)) }
  init(of word: UInt64) { self.init(truncatingIfNeeded: word) }
}

extension Bool: EventWord {
  @inline(__always)
  var word: UInt64 { self ? 1 : 0 }
  init(of word: UInt64) { self = word == 1 }
}

/// Nothing is the largest word, which no value needs.
extension Optional: EventWord where Wrapped: EventWord {
  @inline(__always)
  var word: UInt64 { self.map { $0.word } ?? .max }
  init(of word: UInt64) { self = word == .max ? nil : Wrapped(of: word) }
}

extension MediaTime: EventWord {
  @inline(__always)
  var word: UInt64 { nanoseconds.word }
  init(of word: UInt64) { self.init(nanoseconds: Int64(of: word)) }
}

extension TimeSpan: EventWord {
  @inline(__always)
  var word: UInt64 { nanoseconds.word }
  init(of word: UInt64) { self.init(nanoseconds: Int64(of: word)) }
}

extension BitRate: EventWord {
  @inline(__always)
  var word: UInt64 { bitsPerSecond.word }
  init(of word: UInt64) { self.init(bitsPerSecond: Int64(of: word)) }
}

extension ByteCount: EventWord {
  @inline(__always)
  var word: UInt64 { bytes.word }
  init(of word: UInt64) { self.init(bytes: Int64(of: word)) }
}

extension PlaybackRate: EventWord {
  @inline(__always)
  var word: UInt64 { millionths.word }
  init(of word: UInt64) { self.init(millionths: Int64(of: word)) }
}

extension Resolution: EventWord {
  @inline(__always)
  var word: UInt64 { width.word << 32 | height.word }
  init(of word: UInt64) { self.init(width: Int32(of: word >> 32), height: Int32(of: word)) }
}

extension VideoColor: EventWord {
  @inline(__always)
  var word: UInt64 { UInt64(primaries) << 32 | UInt64(transfer) << 16 | UInt64(matrix) }
  init(of word: UInt64) {
    self.init(
      primaries: UInt16(truncatingIfNeeded: word >> 32),
      transfer: UInt16(truncatingIfNeeded: word >> 16), matrix: UInt16(truncatingIfNeeded: word))
  }
}

/// A case is its number, which the lowest byte of a word holds.
extension EventWord where Self: RawRepresentable<UInt8> {
  @inline(__always)
  var word: UInt64 { UInt64(rawValue) }
  init(of word: UInt64) {
    guard let value = Self(rawValue: UInt8(truncatingIfNeeded: word)) else {
      preconditionFailure("no \(Self.self) has the number \(word)")
    }
    self = value
  }
}

extension ActionAtItemEnd: EventWord {}
extension ColorTreatment: EventWord {}
extension FinishReason: EventWord {}
extension ItemStatus: EventWord {}
extension JoinTrait: EventWord {}
extension LooperStatus: EventWord {}
extension MediaTrack: EventWord {}
extension NetworkResourcePriority: EventWord {}
extension PlaybackException: EventWord {}
extension RateChangeReason: EventWord {}
extension TimeControlStatus: EventWord {}
extension TransferFailure: EventWord {}
extension TransferPhase: EventWord {}
extension VideoDestination: EventWord {}
extension WaitingReason: EventWord {}
