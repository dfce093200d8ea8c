/// The links that come with the simulator, spelled as a file of one's own would be.
///
/// The acts of the stage demo pin what they need: a rate, and nothing else. Better models of links
/// never change them.
enum BuiltInLinks {
  /// The names and the files, in the order in which they are listed.
  static let all: [(name: String, text: String)] = [
    (
      "demo/fast",
      #"{"name": "demo/fast", "about": "A network far faster than the movie of the stage demo.", "#
        + #""source": "WWDC16 503, first act; the rate is assumed", "#
        + #""confidence": "low", "down": {"rate": "100 Mbit/s"}}"#
    ),
    (
      "demo/slow-server",
      #"{"name": "demo/slow-server", "#
        + #""about": "A server a little slower than the movie of the stage demo.", "#
        + #""source": "WWDC16 503: the frames of the second act fix the ratio 320/373", "#
        + #""confidence": "high", "down": {"rate": "3.2 Mbit/s"}}"#
    ),
    (
      "demo/offline",
      #"{"name": "demo/offline", "about": "A link that is down, as in airplane mode.", "#
        + #""source": "by definition", "confidence": "high", "down": {"rate": "0 bit/s"}}"#
    ),
  ]

  /// Returns the file of a name.
  static func text(_ name: String) -> String? {
    all.first { $0.name == name }?.text
  }
}
