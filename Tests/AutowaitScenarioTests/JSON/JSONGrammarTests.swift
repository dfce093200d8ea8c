import AutowaitScenario
import Testing

/// One text and the rule of RFC 8259 or RFC 3629 that accepts or rejects it.
struct GrammarRow: CustomTestStringConvertible, Sendable {
  let rule: String
  let bytes: [UInt8]

  init(_ rule: String, _ text: String) {
    self.rule = rule
    bytes = Array(text.utf8)
  }

  init(_ rule: String, _ bytes: [UInt8]) {
    self.rule = rule
    self.bytes = bytes
  }

  var testDescription: String {
    rule + ": " + String(decoding: bytes.prefix(40), as: UTF8.self).debugDescription
  }

  /// A string with bytes that no Swift string can hold.
  static func quoted(_ rule: String, _ inner: UInt8...) -> GrammarRow {
    GrammarRow(rule, [0x22] + inner + [0x22])
  }
}

/// The general layer accepts and rejects exactly what RFC 8259 says.
@Suite struct JSONGrammarTests {
  @Test(arguments: accepted)
  func accepts(_ row: GrammarRow) {
    check(row, isAccepted: true)
  }

  @Test(arguments: rejected)
  func rejects(_ row: GrammarRow) {
    check(row, isAccepted: false)
  }

  private func check(_ row: GrammarRow, isAccepted: Bool) {
    do throws(JSONError) {
      _ = try JSONDocument(SourceText(path: "row.json", bytes: row.bytes))
      #expect(isAccepted, "accepted against \(row.rule)")
    } catch {
      #expect(!isAccepted, "rejected against \(row.rule): \(error.message)")
      #expect(error.offset >= 0 && error.length >= 0)
      #expect(error.offset + error.length <= row.bytes.count)
    }
  }

  static let accepted: [GrammarRow] = [
    GrammarRow("2 JSON-text: any value, an object", "{}"),
    GrammarRow("2 JSON-text: any value, an array", "[]"),
    GrammarRow("2 JSON-text: any value, a string", "\"\""),
    GrammarRow("2 JSON-text: any value, a number", "7"),
    GrammarRow("2 JSON-text: any value, false", "false"),
    GrammarRow("2 JSON-text: any value, true", "true"),
    GrammarRow("2 JSON-text: any value, null", "null"),
    GrammarRow("2 ws: space before and after", " 1 "),
    GrammarRow("2 ws: tab", "\t1\t"),
    GrammarRow("2 ws: line feed", "\n1\n"),
    GrammarRow("2 ws: carriage return", "\r1\r"),
    GrammarRow("2 ws: around each structural character", " [ 1 , { \"a\" : 2 } ] "),
    GrammarRow("2 ws: none at all", "[1,{\"a\":2}]"),
    GrammarRow("2 begin-array: only spaces inside", "[ \n\t\r ]"),
    GrammarRow("2 begin-object: only spaces inside", "{ \n\t\r }"),
    GrammarRow("3 literals in an array", "[true,false,null]"),
    GrammarRow("4 object: one member", "{\"a\":1}"),
    GrammarRow("4 object: several members", "{\"a\":1,\"b\":2,\"c\":3}"),
    GrammarRow("4 object: names SHOULD be unique, not MUST", "{\"a\":1,\"a\":2}"),
    GrammarRow("4 object: equal names by escape", "{\"a\":1,\"\\u0061\":2}"),
    GrammarRow("4 object: an empty name", "{\"\":1}"),
    GrammarRow("4 object: a name with escapes", "{\"\\u0000\\n\":1}"),
    GrammarRow("4 object: a long name", "{\"\(String(repeating: "n", count: 100))\":1}"),
    GrammarRow("5 array: one element", "[1]"),
    GrammarRow("5 array: elements of different types", "[1,\"a\",null,[],{}]"),
    GrammarRow("5 array: nested empties", "[[],[[]],{}]"),
    GrammarRow("6 int: zero", "0"),
    GrammarRow("6 int: a digit 1-9 and more digits", "1234567890"),
    GrammarRow("6 minus", "-1"),
    GrammarRow("6 minus: negative zero", "-0"),
    GrammarRow("6 frac", "0.5"),
    GrammarRow("6 frac: zeros at the end", "1.500"),
    GrammarRow("6 frac: negative zero with one", "-0.0"),
    GrammarRow("6 exp: small e", "1e3"),
    GrammarRow("6 exp: capital E", "1E3"),
    GrammarRow("6 exp: plus", "1e+3"),
    GrammarRow("6 exp: minus", "1E-3"),
    GrammarRow("6 exp: leading zeros are allowed", "1e007"),
    GrammarRow("6 exp: of zero", "0e0"),
    GrammarRow("6 frac and exp", "-12.34e-56"),
    GrammarRow("6 range is the reader's: huge", "1e400"),
    GrammarRow("6 range is the reader's: tiny", "1e-400"),
    GrammarRow("6 range is the reader's: huge exponent of zero", "0e999999999999"),
    GrammarRow("6 precision is the reader's", "3.14159265358979323846264338327950288"),
    GrammarRow("6 precision is the reader's: a long integer", "123456789012345678901234567890"),
    GrammarRow("6 number before end-array", "[0]"),
    GrammarRow("6 number before end-object", "{\"a\":-1.5e2}"),
    GrammarRow("6 number before a space", "[1 ]"),
    GrammarRow("7 unescaped: the lowest, a space", "\" \""),
    GrammarRow("7 unescaped: DEL is allowed", "\"\u{7F}\""),
    GrammarRow("7 unescaped: solidus", "\"/\""),
    GrammarRow("7 unescaped: apostrophe", "\"'\""),
    GrammarRow("7 unescaped: U+0080, a control of C1", "\"\u{80}\""),
    GrammarRow("7 unescaped: U+2028 and U+2029", "\"\u{2028}\u{2029}\""),
    GrammarRow("7 unescaped: a noncharacter", "\"\u{FFFF}\""),
    GrammarRow("7 unescaped: the last of all", "\"\u{10FFFF}\""),
    GrammarRow("7 unescaped: U+FEFF inside a string", "\"\u{FEFF}\""),
    GrammarRow("7 escape: quotation mark", "\"\\\"\""),
    GrammarRow("7 escape: reverse solidus", "\"\\\\\""),
    GrammarRow("7 escape: solidus", "\"\\/\""),
    GrammarRow("7 escape: b f n r t", "\"\\b\\f\\n\\r\\t\""),
    GrammarRow("7 escape: u with capital digits", "\"\\u00AF\""),
    GrammarRow("7 escape: u with small digits", "\"\\u00af\""),
    GrammarRow("7 escape: u of NUL", "\"\\u0000\""),
    GrammarRow("7 escape: u before more text", "\"\\u00410\""),
    GrammarRow("7 escape: a surrogate pair", "\"\\uD834\\uDD1E\""),
    GrammarRow("7 escape: the first pair", "\"\\uD800\\uDC00\""),
    GrammarRow("7 escape: the last pair", "\"\\uDBFF\\uDFFF\""),
    GrammarRow("7 escape: U+D7FF is no surrogate", "\"\\uD7FF\""),
    GrammarRow("7 escape: U+E000 is no surrogate", "\"\\uE000\""),
    GrammarRow("7 escape: a reverse solidus before a u", "\"\\\\ud800\""),
    GrammarRow("7 string: longer than one word of eight", "\"0123456789abcdef0123456789\""),
    GrammarRow("7 string: escape after eight letters", "\"01234567\\n\""),
    GrammarRow("8.1 UTF-8: two bytes", "\"é\""),
    GrammarRow("8.1 UTF-8: three bytes", "\"€\""),
    GrammarRow("8.1 UTF-8: four bytes", "\"𝄞\""),
    GrammarRow("9 depth: 512 arrays", nested("[", 512, "]")),
    GrammarRow("9 depth: 512 objects", nested("{\"a\":", 511, "}", inner: "{}")),
    .quoted("RFC 3629 UTF8-2: the first", 0xC2, 0x80),
    .quoted("RFC 3629 UTF8-2: the last", 0xDF, 0xBF),
    .quoted("RFC 3629 UTF8-3: the first", 0xE0, 0xA0, 0x80),
    .quoted("RFC 3629 UTF8-3: before the surrogates", 0xED, 0x9F, 0xBF),
    .quoted("RFC 3629 UTF8-3: after the surrogates", 0xEE, 0x80, 0x80),
    .quoted("RFC 3629 UTF8-4: the first", 0xF0, 0x90, 0x80, 0x80),
    .quoted("RFC 3629 UTF8-4: the last", 0xF4, 0x8F, 0xBF, 0xBF),
  ]

  static let rejected: [GrammarRow] = [
    GrammarRow("2 JSON-text: a value is required", ""),
    GrammarRow("2 JSON-text: spaces are no value", " \n"),
    GrammarRow("2 JSON-text: only one value", "1 2"),
    GrammarRow("2 JSON-text: only one array", "[][]"),
    GrammarRow("2 JSON-text: nothing after it", "{}}"),
    GrammarRow("2 JSON-text: no comma after it", "1,"),
    GrammarRow("2 JSON-text: no NUL after it", [0x31, 0x00]),
    GrammarRow("2 JSON-text: no comment before it", "// x\n1"),
    GrammarRow("2 JSON-text: no comment after it", "1 # x"),
    GrammarRow("2 JSON-text: no comment inside", "[1/* x */]"),
    GrammarRow("2 ws: no form feed", "\u{C}1"),
    GrammarRow("2 ws: no vertical tab", "[\u{B}]"),
    GrammarRow("2 ws: no U+00A0", "\u{A0}1"),
    GrammarRow("2 ws: no U+2060", "[\u{2060}1]"),
    GrammarRow("2 ws: no U+0085", "[1\u{85}]"),
    GrammarRow("2 ws: no NUL", [0x5B, 0x00, 0x5D]),
    GrammarRow("2 structure: an array is not closed", "["),
    GrammarRow("2 structure: an object is not closed", "{"),
    GrammarRow("2 structure: closed by the other bracket", "[1}"),
    GrammarRow("2 structure: an object closed by a bracket", "{\"a\":1]"),
    GrammarRow("2 structure: nothing is open", "]"),
    GrammarRow("2 structure: no object is open", "}"),
    GrammarRow("2 structure: an inner array is not closed", "[[1]"),
    GrammarRow("3 literals: lower case", "True"),
    GrammarRow("3 literals: upper case is none", "NULL"),
    GrammarRow("3 literals: not cut short", "tru"),
    GrammarRow("3 literals: not cut short in an array", "[fals]"),
    GrammarRow("3 literals: nothing more", "nulls"),
    GrammarRow("3 literals: nothing more in an array", "[truex]"),
    GrammarRow("3 literals: no other words", "undefined"),
    GrammarRow("3 literals: no NaN", "NaN"),
    GrammarRow("3 literals: no Infinity", "-Infinity"),
    GrammarRow("4 member: a name is a string", "{a:1}"),
    GrammarRow("4 member: a name is not in apostrophes", "{'a':1}"),
    GrammarRow("4 member: a name is not a number", "{1:1}"),
    GrammarRow("4 member: a name is not null", "{null:1}"),
    GrammarRow("4 member: a colon is required", "{\"a\" 1}"),
    GrammarRow("4 member: a value is required", "{\"a\":}"),
    GrammarRow("4 member: a name alone", "{\"a\"}"),
    GrammarRow("4 member: only one colon", "{\"a\"::1}"),
    GrammarRow("4 member: no equals sign", "{\"a\"=1}"),
    GrammarRow("4 member: a name is required", "{:1}"),
    GrammarRow("4 object: no comma at the end", "{\"a\":1,}"),
    GrammarRow("4 object: no comma at the beginning", "{,\"a\":1}"),
    GrammarRow("4 object: no two commas", "{\"a\":1,,\"b\":2}"),
    GrammarRow("4 object: a comma between members", "{\"a\":1 \"b\":2}"),
    GrammarRow("4 object: cut after the colon", "{\"a\":"),
    GrammarRow("4 object: cut after the name", "{\"a\""),
    GrammarRow("4 object: cut after the comma", "{\"a\":1,"),
    GrammarRow("5 array: no comma at the end", "[1,]"),
    GrammarRow("5 array: no comma at the beginning", "[,1]"),
    GrammarRow("5 array: no comma alone", "[,]"),
    GrammarRow("5 array: no two commas", "[1,,2]"),
    GrammarRow("5 array: a comma between elements", "[1 2]"),
    GrammarRow("5 array: a comma between containers", "[[][]]"),
    GrammarRow("5 array: no colon", "[\"a\":1]"),
    GrammarRow("5 array: cut after an element", "[1"),
    GrammarRow("5 array: cut after a comma", "[1,"),
    GrammarRow("6 int: no leading zero", "01"),
    GrammarRow("6 int: no two zeros", "00"),
    GrammarRow("6 int: no leading zero after minus", "-012"),
    GrammarRow("6 int: digits are required", "-"),
    GrammarRow("6 int: digits are required before frac", ".5"),
    GrammarRow("6 int: digits are required between minus and frac", "-.5"),
    GrammarRow("6 int: no plus", "+1"),
    GrammarRow("6 int: no two minuses", "--1"),
    GrammarRow("6 int: no minus inside", "1-2"),
    GrammarRow("6 int: no hexadecimal", "0x1F"),
    GrammarRow("6 int: no underscore", "1_000"),
    GrammarRow("6 int: no space inside", "[1 000]"),
    GrammarRow("6 int: no digits of full width", "\u{FF11}"),
    GrammarRow("6 frac: digits are required", "1."),
    GrammarRow("6 frac: digits are required before exp", "1.e3"),
    GrammarRow("6 frac: only one", "1.2.3"),
    GrammarRow("6 frac: no comma as point", "[1,5,]"),
    GrammarRow("6 exp: digits are required", "1e"),
    GrammarRow("6 exp: digits are required after the sign", "1e+"),
    GrammarRow("6 exp: only one sign", "1e+-2"),
    GrammarRow("6 exp: only one", "1e2e3"),
    GrammarRow("6 exp: no fraction", "1e2.5"),
    GrammarRow("6 exp: digits are required before", "e5"),
    GrammarRow("6 number: nothing more", "1a"),
    GrammarRow("7 string: closed", "\""),
    GrammarRow("7 string: closed after text", "\"abc"),
    GrammarRow("7 string: an escaped mark does not close", "\"\\\""),
    GrammarRow("7 string: no apostrophes", "'a'"),
    GrammarRow("7 string: no word without marks", "[a]"),
    GrammarRow("7 unescaped: no NUL", [0x22, 0x00, 0x22]),
    GrammarRow("7 unescaped: no tab", "\"\t\""),
    GrammarRow("7 unescaped: no line feed", "\"a\nb\""),
    GrammarRow("7 unescaped: no carriage return", "\"\r\""),
    GrammarRow("7 unescaped: not the highest control", "\"\u{1F}\""),
    GrammarRow("7 unescaped: no control after eight letters", "\"01234567\u{1}\""),
    GrammarRow("7 unescaped: no control in a name", "{\"\u{1}\":1}"),
    GrammarRow("7 escape: no a", "\"\\a\""),
    GrammarRow("7 escape: no x", "\"\\x41\""),
    GrammarRow("7 escape: no zero", "\"\\0\""),
    GrammarRow("7 escape: no apostrophe", "\"\\'\""),
    GrammarRow("7 escape: no capital U", "\"\\U0041\""),
    GrammarRow("7 escape: no line end", "\"\\\n\""),
    GrammarRow("7 escape: no é", "\"\\é\""),
    GrammarRow("7 escape: not outside of strings", "[\\n]"),
    GrammarRow("7 escape: not cut short", "\"\\"),
    GrammarRow("7 escape: u needs digits", "\"\\u\""),
    GrammarRow("7 escape: u needs four digits", "\"\\u123\""),
    GrammarRow("7 escape: u needs hexadecimal digits", "\"\\u12G4\""),
    GrammarRow("7 escape: u is cut short", "\"\\u12"),
    GrammarRow("8.2 surrogates: a high one alone", "\"\\uD800\""),
    GrammarRow("8.2 surrogates: the last high one alone", "\"\\uDBFFx\""),
    GrammarRow("8.2 surrogates: a low one alone", "\"\\uDC00\""),
    GrammarRow("8.2 surrogates: the last low one alone", "\"\\uDFFF\""),
    GrammarRow("8.2 surrogates: the wrong order", "\"\\uDD1E\\uD834\""),
    GrammarRow("8.2 surrogates: two high ones", "\"\\uD800\\uD800\""),
    GrammarRow("8.2 surrogates: high before another escape", "\"\\uD800\\n\""),
    GrammarRow("8.2 surrogates: high before a scalar", "\"\\uD800\\u0041\""),
    GrammarRow("8.2 surrogates: the low one is cut short", "\"\\uD800\\uDC0\""),
    GrammarRow("8.1 a byte order mark", "\u{FEFF}1"),
    GrammarRow("8.1 a byte order mark alone", "\u{FEFF}"),
    GrammarRow("8.1 UTF-16 with mark, little end first", [0xFF, 0xFE, 0x31, 0x00]),
    GrammarRow("8.1 UTF-16 with mark, big end first", [0xFE, 0xFF, 0x00, 0x31]),
    GrammarRow("8.1 UTF-16 without mark", [0x5B, 0x00, 0x5D, 0x00]),
    GrammarRow("8.1 Latin-1", [0x22, 0xE9, 0x22]),
    GrammarRow("9 depth: 513 arrays", nested("[", 513, "]")),
    GrammarRow("9 depth: 513 objects", nested("{\"a\":", 512, "}", inner: "{}")),
    GrammarRow("9 depth: never closed", String(repeating: "[", count: 100_000)),
    .quoted("RFC 3629 UTF8-tail: alone", 0x80),
    .quoted("RFC 3629 UTF8-tail: one too many", 0xC3, 0xA9, 0xA9),
    .quoted("RFC 3629 UTF8-2: overlong C0", 0xC0, 0xAF),
    .quoted("RFC 3629 UTF8-2: overlong C1", 0xC1, 0xBF),
    .quoted("RFC 3629 UTF8-2: cut by the mark", 0xC3),
    .quoted("RFC 3629 UTF8-3: overlong", 0xE0, 0x9F, 0xBF),
    .quoted("RFC 3629 UTF8-3: cut after two", 0xE2, 0x82),
    .quoted("RFC 3629 UTF8-3: the first surrogate", 0xED, 0xA0, 0x80),
    .quoted("RFC 3629 UTF8-3: the last surrogate", 0xED, 0xBF, 0xBF),
    .quoted("RFC 3629 UTF8-4: overlong", 0xF0, 0x8F, 0xBF, 0xBF),
    .quoted("RFC 3629 UTF8-4: above U+10FFFF", 0xF4, 0x90, 0x80, 0x80),
    .quoted("RFC 3629 UTF8-4: F5", 0xF5, 0x80, 0x80, 0x80),
    .quoted("RFC 3629 UTF8-4: cut after three", 0xF0, 0x9D, 0x84),
    .quoted("RFC 3629: FE", 0xFE),
    .quoted("RFC 3629: FF", 0xFF),
    GrammarRow("RFC 3629: cut by the end of the text", [0x22, 0xE2, 0x82]),
    GrammarRow("RFC 3629: outside of strings", [0x5B, 0xFF, 0x5D]),
  ]

  private static func nested(
    _ opening: String, _ depth: Int, _ closing: String, inner: String = ""
  ) -> String {
    String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)
  }
}
