import Foundation
import Testing

/// Workers that are killed at any moment, as real processes: what they leave is never taken for
/// more than it is.
@Suite struct ShardProcessTests {
  /// Shards are begun, killed after a while, and begun again until they are there.
  private static let killing = """
    "$TOOL" compare x.json > single 2>/dev/null || exit 9
    kills=0
    for shard in 1/2 2/2; do
      pause=0
      while :; do
        "$TOOL" compare x.json --shard $shard --out d --jobs 1 2>/dev/null & worker=$!
        (sleep $pause; kill -9 $worker 2>/dev/null) & killer=$!
        wait $worker && break
        kills=$((kills + 1))
        wait $killer
        # The first one is killed at once, and each gets more time until one is done.
        pause=$(awk "BEGIN {print 0.002 + $pause * 1.6}")
      done
      kill $killer 2>/dev/null
    done
    "$TOOL" merge d > merged 2>/dev/null || exit 8
    cmp single merged || exit 7
    ls -A d
    [ $kills -ge 1 ] || exit 6
    """

  @Test func whatIsKilledIsMadeAgain() throws {
    let experiment = CompareCommandTests.experiment.replacing("\"seed\": 3", with: "\"seed\": 80")
    let fixture = try CommandFixture(["x.json": experiment])
    let outcome = try ProcessTests().shell(fixture, "exec 2>/dev/null\n" + Self.killing)
    #expect(outcome.code == 0, "\(outcome.text)")
    #expect(outcome.text == "x.1-of-2.ndjson\nx.2-of-2.ndjson\n")
  }

  @Test(arguments: [
    ("echo '{\"units\": [0, 6]}' | \"$TOOL\" work x.json | head -c 1", 0, "{"),
    ("yes '{\"units\": [0, 6]}' | \"$TOOL\" work x.json | head -n 2 | tail -c 3", 0, "\"}\n"),
    ("\"$TOOL\" work x.json <&-", 0, "{\"worker\":1,\"jobs\":0"),
    ("\"$TOOL\" work x.json < .", 2, "autowait: error: the standard input cannot be read"),
    ("echo '{\"units\": [0, 0]}' | \"$TOOL\" work x.json >&-", 2, "autowait: error: the results"),
    (
      // An answer is there before the next job is sent.
      """
      mkfifo in out; "$TOOL" work x.json < in > out & exec 3>in 4<out
      for job in a b; do echo $job >&3; read -r line <&4; echo "$line" | cut -c1-9; done
      """, 0, "{\"line\":1\n{\"line\":2\n"
    ),
    (
      """
      ulimit -f 1; "$TOOL" compare x.json --seeds 30 --shard 1/1 --out d 2>err; echo $?; ls -A d
      grep -o 'cannot be written' err
      """, 0, "1\ncannot be written\n"
    ),
  ])
  func calls(_ line: String, _ code: Int32, _ beginning: String) throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == code, "\(outcome.text)")
    #expect(outcome.text.hasPrefix(beginning), "\(outcome.text)")
  }

  /// The script for xargs does what it says, also when one of its tasks is killed.
  @Test func aRecipeRuns() throws {
    let fixture = try CommandFixture(["-a x.json": CompareCommandTests.experiment])
    let line = """
      "$TOOL" recipe xargs --shards 5 -- '-a x.json' > recipe
      AUTOWAIT="$TOOL" bash recipe 2>/dev/null > merged
      "$TOOL" compare './-a x.json' 2>/dev/null | cmp - merged
      ls './-a x.shards' | wc -l
      """
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines) == "5")
  }
}
