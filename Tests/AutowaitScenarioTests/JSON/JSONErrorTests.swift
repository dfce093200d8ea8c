import AutowaitScenario
import Testing

/// What is said about broken texts, and where: the marks `»` and `«` stand round what is wrong.
@Suite struct JSONErrorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let marked: String
    let message: String
    let note: String?

    init(_ marked: String, _ message: String, note: String? = nil) {
      self.marked = marked
      self.message = message
      self.note = note
    }

    var testDescription: String { marked }
  }

  @Test(arguments: [
    Row("»«", "expected a value but found the end of the text"),
    Row(" \n»«", "expected a value but found the end of the text"),
    Row("1 »x«", "expected the end of the text after the value but found 'x'"),
    Row("{}\n»{«}", "expected the end of the text after the value but found '{'"),
    Row("»nul«", "expected a value but found 'nul'"),
    Row("[»None«]", "expected a value but found 'None'"),
    Row("[1»;«2]", "expected ',' or ']' but found ';'"),
    Row("[1, »]«", "expected a value after ',' but found ']'"),
    Row("[1, »}«", "expected a value after ',' but found '}'"),
    Row("»]«", "expected a value but found ']'"),
    Row("{\"a\":1»]«", "expected ',' or '}' but found ']'"),
    Row("{\"a\":1,»}«", "expected a key after ',' but found '}'"),
    Row("{»a«:1}", "expected a key in quotation marks but found 'a'"),
    Row("{»'«a':1}", "keys are quoted with '\"', not with '''"),
    Row("{\"a\" »1«}", "expected ':' after a key but found '1'"),
    Row("[»'«a']", "strings are quoted with '\"', not with '''"),
    Row("[1, »//« x", "JSON has no comments"),
    Row("[1 »/*« x", "JSON has no comments"),
    Row("»01«", "a number may not begin with a zero"),
    Row("-»01«", "a number may not begin with a zero"),
    Row("[»+«1]", "a number may not begin with '+'"),
    Row("[».«5]", "expected a digit before the decimal point"),
    Row("[-»]«", "expected a digit after '-'", note: "the number begins"),
    Row("[1.»]«", "expected a digit after the decimal point", note: "the number begins"),
    Row("1e»«", "expected a digit in the exponent", note: "the number begins"),
    Row("[[1], {\"a\": 1»«", "the text ends too early", note: "the object begins"),
    Row("[1»«", "the text ends too early", note: "the array begins"),
    Row("[\"abc»«", "the text ends inside a string", note: "the string begins"),
    Row("\"a»\t«\"", "a string may not hold a control character; write it as '\\t'"),
    Row("\"»\u{1}«\"", "a string may not hold a control character; write it as '\\u0001'"),
    Row("\"a»\n«\"", "a string may not hold a control character; write it as '\\n'"),
    Row("\"»\\q«\"", "unknown escape '\\q'"),
    Row("\"»\\u12«\"", "expected four hexadecimal digits after '\\u'"),
    Row("\"»\\ud800«\"", "a high surrogate needs a low surrogate after it"),
    Row("\"»\\udc00«\"", "a low surrogate needs a high surrogate before it"),
    Row("[»é«]", "expected a value but found 'é'"),
    Row("[»\u{200B}«1]", "expected a value but found U+200B"),
    Row("[»\u{1}«]", "expected a value but found U+0001"),
    Row(
      "»\u{FEFF}«1", "the text begins with a byte order mark, which JSON does not allow"),
  ])
  func message(_ row: Row) {
    check(row)
  }

  @Test(
    arguments: [
      ([0x80], "invalid UTF-8: a continuation byte without a beginning"),
      ([0xC0, 0xAF], "invalid UTF-8: an overlong form"),
      ([0xE0, 0x80, 0x80], "invalid UTF-8: an overlong form"),
      ([0xF0, 0x80, 0x80, 0x80], "invalid UTF-8: an overlong form"),
      ([0xED, 0xA0, 0x80], "invalid UTF-8: a surrogate"),
      ([0xF4, 0x90, 0x80, 0x80], "invalid UTF-8: a scalar above U+10FFFF"),
      ([0xFF], "invalid UTF-8: a byte that never occurs"),
      ([0xE2, 0x82], "invalid UTF-8: a sequence that ends too early"),
    ] as [([UInt8], String)])
  func invalidUTF8(_ bytes: [UInt8], _ message: String) {
    for wrap in [[0x22], []] as [[UInt8]] {
      let error = error(in: [0x5B] + wrap + bytes + wrap + [0x5D])
      #expect(error?.message == message)
      #expect(error?.offset == 1 + wrap.count)
    }
  }

  @Test func nestingIsBounded() {
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
    let error = error(in: open)
    #expect(error?.message == "arrays and objects nest deeper than 512 levels")
    #expect(error?.offset == 512)
    #expect(throws: JSONError.self) {
      try JSONDocument(SourceText(path: "", text: "[[]]"), depthMax: 1)
    }
  }

  private func check(_ row: Row) {
    let parts = row.marked.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "»" || $0 == "«" })
    let error = error(in: Array(parts.joined().utf8))
    #expect(error?.message == row.message)
    #expect(error?.offset == parts[0].utf8.count)
    #expect(error?.length == parts[1].utf8.count)
    #expect(error?.note?.message == row.note)
  }

  private func error(in bytes: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try JSONDocument(SourceText(path: "", bytes: bytes))
      return nil
    } catch {
      return error
    }
  }
}
