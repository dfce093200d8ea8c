/// The rules that `"*"` stands for.
///
/// Times of rules that wait for so much media are those of the players' own sources, which the
/// article on rules names.
public enum RuleCatalogue {
  /// A rule as a scenario spells it.
  public struct Entry: Hashable, Sendable {
    /// What tables call it.
    public let name: String
    /// Its value under the key `heuristic`.
    public let json: String
  }

  /// All rules that are built in, in the order of tables.
  public static let all: [Entry] = [
    Entry(name: "avfoundation", json: #""avfoundation""#),
    buffered("media3", start: "1 s", resume: "2 s"),
    buffered("exoplayer", start: "2.5 s", resume: "5 s"),
    buffered("shaka-4.12", start: "2 s", resume: "2 s"),
    buffered("mpv", start: "0.04 s", resume: "1 s"),
    buffered("vlc", start: "1 s", resume: "1 s"),
    buffered("gstreamer", start: "3 s", resume: "3 s"),
    buffered("fixed", start: "5 s", resume: "5 s"),
  ]

  private static func buffered(_ name: String, start: String, resume: String) -> Entry {
    Entry(
      name: name, json: #"{"rule":"buffered","start":"\#(start)","resume":"\#(resume)"}"#)
  }

  /// Returns the rule of a name.
  public static func named(_ name: String) -> Entry? { all.first { $0.name == name } }
}
