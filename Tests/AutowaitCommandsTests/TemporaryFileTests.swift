import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What killed runs leave is removed by the next one that writes into the folder, and nothing else.
@Suite struct TemporaryFileTests {
  /// Names of files as the tool gives them, and as it does not.
  private static let stale = [".autowait-1-0.tmp", ".autowait-4194304-99999.tmp"]
  private static let foreign = [
    "autowait-1-0.tmp", ".autowait-1-0.tmp~", ".autowait-1-0.TMP", ".autowait-1.tmp",
    ".autowait-1-0-0.tmp", ".autowait--1-0.tmp", ".autowait-0-0.tmp", ".autowait-01-0.tmp",
    ".autowait-1-00.tmp", ".autowait-+1-0.tmp", ".autowait-1-0x.tmp", ".autowait-x-0.tmp",
    ".autowait-1- 0.tmp", ".autowait-.tmp", ".autowait-1-0.tmp.tmp", ".x.1-0.tmp", ".tmp", "x.tmp",
    ".autowait-99999999999999999999-0.tmp",
  ]

  /// Calls that write into the folder `o`.
  @Test(arguments: [
    "run $/a.json --format jsonl --output $/o/x", "run $/a.json --html $/o/x.html",
    "run $/a.json --svg $/o/x.svg", "test $/o --update", "test $/a.json --junit $/o/x.xml",
    "compare $/x.json --output $/o/x", "compare $/x.json --html $/o/x.html",
    "compare $/x.json --svg $/o", "compare $/x.json --shard 1/2 --out $/o",
    // A shard that is there already.
    "compare $/x.json --shard 2/2 --out $/o", "merge $/d --output $/o/x",
    "convert $/t.csv --output $/o/x.json",
  ])
  func theNextRunRemovesWhatIsLeft(_ call: String) throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.playing, "o/b.json": Fixture.playing,
      "x.json": CompareCommandTests.experiment, "t.csv": "time_s,bytes\n0,5000000\n10,4000000\n",
    ])
    fixture.call("compare", "$/x.json", "--shard", "1/1", "--out", "$/d")
    fixture.call("compare", "$/x.json", "--shard", "2/2", "--out", "$/o")
    for name in Self.stale + Self.foreign {
      try fixture.write("o/" + name, "left")
      try fixture.write(name, "left")
    }
    try fixture.write("o/.autowait-2-0.tmp/inside", "left")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("o/.autowait-3-0.tmp"), withDestinationPath: fixture.path("a.json"))
    // A run that still writes holds a lock, whatever its number is here.
    try fixture.write("o/.autowait-4-0.tmp", "live")
    let live = open(fixture.path("o/.autowait-4-0.tmp"), O_RDWR | O_CLOEXEC)
    try #require(flock(live, LOCK_EX | LOCK_NB) == 0)

    let outcome = fixture.call(call.split(separator: " ").map(String.init))
    #expect(outcome.code == (call.hasSuffix("--update") ? 1 : 0), "\(outcome)")
    for name in Self.stale {
      #expect(!fixture.exists("o/" + name), "\(name)")
      #expect(fixture.exists(name), "\(name) of another folder")
    }
    for name in Self.foreign { #expect(fixture.exists("o/" + name), "\(name)") }
    #expect(fixture.exists("o/.autowait-2-0.tmp/inside"))
    #expect(fixture.exists("o/.autowait-3-0.tmp") && fixture.exists("a.json"))
    #expect(try fixture.read("o/.autowait-4-0.tmp") == "live")
    // A process that another test begins here and now has the file open too, until it is another
    // program: closing alone would leave it the lock.
    try #require(flock(live, LOCK_UN) == 0)
    close(live)
    if fixture.exists("o/b.expected.log") { try fixture.remove("o/b.expected.log") }
    _ = fixture.call(call.split(separator: " ").map(String.init))
    #expect(!fixture.exists("o/.autowait-4-0.tmp"))
    let left = try fixture.names().filter { $0.hasPrefix("o/.autowait-") && $0.hasSuffix(".tmp") }
    #expect(
      Set(left).isSubset(
        of: Set(Self.foreign + [".autowait-2-0.tmp", ".autowait-3-0.tmp"])
          .map { "o/" + $0 }))
  }

  /// A process that is killed in the middle leaves its file; others that write beside it leave that
  /// alone while it lives, and remove it when it does not.
  @Test(arguments: [
    ("compare x.json --seeds 900000 --shard 1/2 --out d", "compare x.json --shard 2/2 --out d"),
    ("compare x.json --seeds 900000 --output d/big", "compare x.json --html d/x.html"),
    ("compare x.json --seeds 900000 --output d/big", "run a.json --svg d/x.svg"),
  ])
  func aRunThatLivesIsLeftAlone(_ long: String, _ short: String) throws {
    let fixture = try CommandFixture([
      "x.json": CompareCommandTests.experiment, "a.json": Fixture.playing, "d/x": "",
    ])
    let script = """
      exec 2>/dev/null
      tmp() { ls -A d | grep -c tmp; }
      "$TOOL" \(long) > /dev/null & worker=$!
      until [ "$(tmp)" = 1 ]; do kill -0 $worker || exit 9; done
      "$TOOL" \(short) > /dev/null; echo "$? $(tmp)"
      kill -9 $worker; wait $worker; echo "$(tmp)"
      "$TOOL" \(short) > /dev/null; echo "$? $(tmp)"
      """
    let outcome = try ProcessTests().shell(fixture, script)
    #expect(outcome.text == "0 1\n1\n0 0\n", "\(outcome)")
  }
}
