import AutowaitScenario
import Testing

/// A document gives back what stands in it, in order and with its place.
@Suite struct JSONValueTests {
  @Test(
    arguments: [
      ("null", .null), ("true", .true), ("false", .false), ("-1.5", .number), ("\"a\"", .string),
      ("[1]", .array), ("{}", .object),
    ] as [(String, JSONKind)])
  func kind(_ text: String, _ kind: JSONKind) throws {
    let value = try root(" " + text + " ")
    #expect(value.kind == kind)
    #expect(value.range == 1..<1 + text.utf8.count)
    #expect(value.bool == (kind == .true ? true : kind == .false ? false : nil))
    #expect((value.string != nil) == (kind == .string))
    #expect((value.decimal != nil) == (kind == .number))
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("é€𝄞", "é€𝄞"), ("\\\"\\\\\\/", "\"\\/"),
    ("\\b\\f\\n\\r\\t", "\u{8}\u{C}\n\r\t"), ("\\u0041\\u00e9\\u20AC", "Aé€"),
    ("\\ud834\\udd1e", "𝄞"), ("a\\uD800\\uDC00b", "a\u{10000}b"), ("\\uDBFF\\uDFFF", "\u{10FFFF}"),
    ("\\u0000", "\0"), ("\\\\u0041", "\\u0041"),
  ])
  func string(_ written: String, _ expected: String) throws {
    let value = try root("\"" + written + "\"")
    #expect(value.string == expected)
    #expect(value.isString(expected))
    #expect(!value.isString(expected + "x"))
  }

  @Test func membersComeInOrderWithDuplicates() throws {
    let value = try root("{\"b\": [1, [2, 3], 4], \"a\": {\"b\": 5}, \"b\": 6}")
    #expect(value.count == 3)
    #expect(value.members.map(\.key.string) == ["b", "a", "b"])
    #expect(value.members.map(\.value.kind) == [.array, .object, .number])
    #expect(value.member("b")?.count == 3)
    #expect(value.member("b")?.elements.map(\.kind) == [.number, .array, .number])
    #expect(value.member("a")?.member("b")?.decimal == ExactDecimal(5))
    #expect(value.member("c") == nil)
    #expect(Array(value.elements).isEmpty)
    #expect(Array(try root("[1]").members).isEmpty)
    #expect(try root("[1]").member("a") == nil)
  }

  /// The writer's copy of a value is the value without its spaces.
  @Test func copiesOfDocumentsAreEqual() throws {
    let text = """
      {"a":[1,-2.50,1e400,"x\\ny",true,false,null,{},[]],"é":{"b":{"c":[[],[{}]]}}}
      """
    var compact = JSONWriter()
    compact.value(try root(text))
    #expect(String(decoding: compact.bytes, as: UTF8.self) == text)
    var pretty = JSONWriter(.pretty)
    pretty.value(try root(text))
    var again = JSONWriter()
    again.value(try root(String(decoding: pretty.bytes, as: UTF8.self)))
    #expect(again.bytes == compact.bytes)
  }

  private func root(_ text: String) throws(JSONError) -> JSONValue {
    try JSONDocument(SourceText(path: "", text: text)).root
  }
}
