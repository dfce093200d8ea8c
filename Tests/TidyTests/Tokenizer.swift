/// One piece of Swift code; comments and the text of string literals are no code.
struct Token: Hashable, Sendable {
  /// What kind of piece it is.
  enum Kind: Hashable, Sendable {
    /// A name or a keyword; a name in backticks keeps them, so that it never equals a keyword.
    case word
    /// A number with a point or a decimal exponent.
    case float
    /// Any other number.
    case integer
    /// A string literal; the code inside its interpolations follows as tokens of its own.
    case string
    /// One character of punctuation.
    case symbol
  }

  var kind: Kind
  var text: String
  var line: Int
  /// Whether white space or a comment stands before it.
  var isSpaced: Bool
  /// Whether it begins its line.
  var isFirst: Bool
}

/// Splits Swift text into tokens and the words of its comments.
///
/// It walks bytes rather than characters because the tests run in debug builds, where characters
/// cost fifty times as much. It does not know bare regex literals; the project has none.
struct Tokenizer {
  private(set) var tokens: [Token] = []
  private(set) var commentWords: [Token] = []

  private let bytes: [UInt8]
  private let isWordByte: [Bool]
  private var position = 0
  private var line = 1
  private var isSpaced = true
  private var isFirst = true

  /// Splits Swift text.
  init(swift bytes: [UInt8]) {
    self.init(bytes)
    readCode(untilParenthesis: false)
  }

  /// Splits a text that is no Swift, such as an article: all of its words are comment words.
  init(prose bytes: [UInt8]) {
    self.init(bytes)
    readWords(until: bytes.count)
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isWordByte = (0...255).map { (value: Int) in
      let scalar = Unicode.Scalar(UInt8(value))
      return scalar.properties.isAlphabetic || (48...57).contains(value) || value >= 128
        || scalar == "_" || scalar == "$"
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// Reads code up to the end of the text, or to the parenthesis that closes an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while position < bytes.count {
      let current = bytes[position]
      switch Unicode.Scalar(current) {
      case "\n":
        newline()
      case " ", "\t", "\r":
        isSpaced = true
        position += 1
      case "/" where byte(1) == UInt8(ascii: "/"):
        readLineComment()
      case "/" where byte(1) == UInt8(ascii: "*"):
        readBlockComment()
      case "\"":
        readString(hashes: 0)
      case "#":
        readHash()
      case "`":
        readQuotedWord()
      case "(":
        depth += 1
        add(.symbol, length: 1)
      case ")":
        if untilParenthesis, depth == 0 {
          position += 1
          return
        }
        depth -= 1
        add(.symbol, length: 1)
      default:
        if !isWordByte[Int(current)] {
          add(.symbol, length: 1)
        } else if current >= 48, current <= 57 {
          readNumber()
        } else {
          add(.word, length: wordLength())
        }
      }
    }
  }

  private mutating func newline() {
    line += 1
    position += 1
    isSpaced = true
    isFirst = true
  }

  private mutating func add(_ kind: Token.Kind, length: Int) {
    let end = min(position + length, bytes.count)
    let text = kind == .string ? "\"" : String(decoding: bytes[position..<end], as: UTF8.self)
    tokens.append(
      Token(kind: kind, text: text, line: line, isSpaced: isSpaced, isFirst: isFirst))
    position = end
    isSpaced = false
    isFirst = false
  }

  private func wordLength() -> Int {
    var length = 1
    while position + length < bytes.count, isWordByte[Int(bytes[position + length])] { length += 1 }
    return length
  }

  /// Reads a number; the `0.1` of `pair.0.1` is two integers.
  private mutating func readNumber() {
    var length = wordLength()
    let isHexadecimal = byte(1) == UInt8(ascii: "x")
    let isMember = tokens.last?.text == "." && !isSpaced
    var isFloat = false
    if !isMember, byte(length) == UInt8(ascii: "."), byte(length + 1) >= 48, byte(length + 1) <= 57
    {
      isFloat = true
      position += length + 1
      let fraction = wordLength()
      position -= length + 1
      length += 1 + fraction
    }
    let last = byte(length - 1) | 0x20
    if !isHexadecimal, last == UInt8(ascii: "e") {
      isFloat = true
      if byte(length) == UInt8(ascii: "-") || byte(length) == UInt8(ascii: "+") {
        position += length
        let exponent = wordLength()
        position -= length
        length += exponent
      }
    } else if !isHexadecimal, byte(1) != UInt8(ascii: "b"), byte(1) != UInt8(ascii: "o") {
      isFloat = isFloat || bytes[position..<position + length].contains { $0 | 0x20 == 0x65 }
    }
    add(isFloat ? .float : .integer, length: length)
  }

  private mutating func readQuotedWord() {
    var length = 1
    while byte(length) != UInt8(ascii: "`"), byte(length) != 10, byte(length) != 0 { length += 1 }
    add(.word, length: length + 1)
  }

  /// Reads a raw string, or the number sign of a directive or macro.
  private mutating func readHash() {
    var hashes = 1
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if byte(hashes) == UInt8(ascii: "\"") {
      position += hashes
      readString(hashes: hashes)
    } else {
      add(.symbol, length: 1)
    }
  }

  /// Reads a string literal from its first quotation mark on.
  private mutating func readString(hashes: Int) {
    let isMultiline = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    add(.string, length: quotes)
    while position < bytes.count {
      if isRun(of: UInt8(ascii: "\""), quotes, then: hashes) {
        position += quotes + hashes
        return
      }
      if isRun(of: UInt8(ascii: "\\"), 1, then: hashes) {
        position += 1 + hashes
        if byte() == UInt8(ascii: "(") {
          position += 1
          readCode(untilParenthesis: true)
          continue
        }
        if byte() != 10 { position += 1 }
        continue
      }
      if byte() == 10 {
        if !isMultiline { return }
        newline()
      } else {
        position += 1
      }
    }
  }

  private func isRun(of mark: UInt8, _ count: Int, then hashes: Int) -> Bool {
    guard byte() == mark else { return false }
    for offset in 0..<count where byte(offset) != mark { return false }
    for offset in 0..<hashes where byte(count + offset) != UInt8(ascii: "#") { return false }
    return true
  }

  private mutating func readLineComment() {
    var end = position
    while end < bytes.count, bytes[end] != 10 { end += 1 }
    readWords(until: end)
  }

  private mutating func readBlockComment() {
    var depth = 0
    var end = position
    repeat {
      let next = end + 1 < bytes.count ? bytes[end + 1] : 0
      if bytes[end] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        depth += 1
        end += 2
      } else if bytes[end] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        end += 2
      } else {
        end += 1
      }
    } while depth > 0 && end < bytes.count
    readWords(until: min(end, bytes.count))
  }

  private mutating func readWords(until end: Int) {
    while position < end {
      if bytes[position] == 10 {
        newline()
      } else if isWordByte[Int(bytes[position])] {
        let length = wordLength()
        let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
        commentWords.append(
          Token(kind: .word, text: text, line: line, isSpaced: true, isFirst: false))
        position += length
      } else {
        position += 1
      }
    }
    isSpaced = true
  }
}
