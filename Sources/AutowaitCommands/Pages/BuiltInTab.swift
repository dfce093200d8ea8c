import AutowaitRendering
import AutowaitScenario

/// A scenario or an experiment that every page has.
struct BuiltInTab {
  /// What the tab is called; several may be acts of one.
  let group: String
  /// What the act is called.
  let title: String
  let source: EmbeddedSource

  /// All of them, in the order of the page.
  static let all: [BuiltInTab] =
    acts + [
      BuiltInTab("Queue", "queue.json", queue), BuiltInTab("Looper", "looper.json", looper),
      BuiltInTab("Stream", "stream.json", stream),
      BuiltInTab("Experiment", "experiment.json", experiment),
    ]

  /// The acts of the demo of WWDC16 session 503: one movie on two networks.
  private static let acts = [
    BuiltInTab(
      "Stage demo", "1 · fast network", "act-1.json",
      act(
        "Fast network, play at 2 s", "demo/fast", #"{ "at": "2 s", "do": "play" }"#,
        about: "All is loaded before somebody taps, so playback just starts.")),
    BuiltInTab(
      "Stage demo", "2 · play right away", "act-2.json",
      act(
        "Slow server, play right away", "demo/slow-server",
        #"{ "when": { "loaded": { ">=": "0.3 s" } }, "do": "play" }"#,
        about: "The player waits until the rest will come in time, and then plays through.")),
    BuiltInTab(
      "Stage demo", "3 · play immediately", "act-3.json",
      act(
        "Slow server, play immediately", "demo/slow-server",
        #"{ "when": { "loaded": { ">=": "0.3 s" } }, "do": "playImmediately" }"#,
        about: "The first picture comes at once; the playhead catches up with what is loaded.")),
    BuiltInTab(
      "Stage demo", "4 · wait until likely", "act-4.json",
      act(
        "Slow server, wait until likely, then play", "demo/slow-server",
        #"{ "when": { "isPlaybackLikelyToKeepUp": true }, "do": "play" }"#,
        about: "The app waits for isPlaybackLikelyToKeepUp by itself, and plays then.")),
  ]

  private init(_ group: String, _ title: String, _ path: String, _ text: String) {
    self.group = group
    self.title = title
    let bytes = SourceText(path: path, text: text)
    let scenario = ScenarioReader.read(bytes, loader: .none).scenario
    let result = scenario.map { ScenarioRun.run($0) }
    source = EmbeddedSource(
      path: path, title: title, text: text, isExperiment: scenario == nil, files: [],
      fingerprint: result?.fingerprint, view: result.map { Self.view($0) })
  }

  private init(_ group: String, _ path: String, _ text: String) {
    self.init(group, group, path, text)
  }

  /// The first picture is drawn before the module is unpacked.
  private static func view(_ result: RunResult) -> [UInt8] {
    let again = ScenarioRun.rerun(result.scenario, samplesAt: RunView.instants(result))
    var writer = JSONWriter()
    writer.object { RunView.write(result, again.samples, into: &$0) }
    return writer.bytes
  }

  private static func act(
    _ name: String, _ link: String, _ step: String, about: String
  ) -> String {
    """
    {
      "autowait": 1,
      "name": "\(name)",
      "about": "\(about)",
      "seed": 1,
      "link": "\(link)",
      "media": { "kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s" },
      "script": [
        { "at": 0, "do": "load" },
        \(step)
      ]
    }

    """
  }

  private static let queue = """
    {
      "autowait": 1,
      "name": "A queue of three movies",
      "about": "Each next movie is loaded while the one before it plays, so there is no gap.",
      "link": { "rate": "4 Mbit/s" },
      "media": [
        { "kind": "progressive", "duration": "12 s", "bitrate": "2 Mbit/s" },
        { "kind": "progressive", "duration": "8 s", "bitrate": "3 Mbit/s" },
        { "kind": "progressive", "duration": "10 s", "bitrate": "2.5 Mbit/s" }
      ],
      "player": { "queue": [0, 1, 2], "latency": { "preroll": "100 ms" } },
      "script": [
        { "at": 0, "do": "play" }
      ]
    }

    """

  private static let looper = """
    {
      "autowait": 1,
      "name": "A clip that AVPlayerLooper repeats",
      "about": "Three copies of the item take turns: the next one is ready when one ends.",
      "link": { "rate": "3 Mbit/s" },
      "media": { "kind": "progressive", "duration": "5 s", "bitrate": "2 Mbit/s" },
      "player": { "loop": { "by": "looper" }, "latency": { "preroll": "100 ms" } },
      "script": [
        { "at": 0, "do": "play" }
      ],
      "until": "22 s"
    }

    """

  private static let stream = """
    {
      "autowait": 1,
      "name": "A stream with four variants",
      "about": "The link gets slow at 20 s and better at 40 s; the player changes the variant.",
      "seed": 1,
      "link": {
        "down": {
          "track": [
            { "at": 0, "rate": "8 Mbit/s" },
            { "at": "20 s", "rate": "900 kbit/s" },
            { "at": "40 s", "rate": "5 Mbit/s" }
          ],
          "delay": "25 ms"
        },
        "up": { "delay": "25 ms" }
      },
      "media": {
        "kind": "hls", "duration": "90 s", "segmentDuration": "4 s",
        "variants": [
          { "name": "240p", "bandwidth": "400 kbit/s" },
          { "name": "480p", "bandwidth": "1.2 Mbit/s" },
          { "name": "720p", "bandwidth": "2.8 Mbit/s" },
          { "name": "1080p", "bandwidth": "6 Mbit/s" }
        ]
      },
      "script": [
        { "at": 0, "do": "load" },
        { "at": 0, "do": "play" }
      ]
    }

    """

  private static let experiment = """
    {
      "experiment": 1,
      "name": "Eight rules on links that vary",
      "about": "The movie of the demo on links whose mean is 70 to 150 % of what it needs.",
      "base": {
        "media": { "kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s" },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ]
      },
      "vary": {
        "heuristic": [
          "avfoundation", "media3", "mpv", "vlc", "firefox", "chromium-canplaythrough", "gstreamer",
          "fixed"
        ],
        "link": [
          { "name": "70 %", "down": { "random":
            { "from": "1 Mbit/s", "to": "4.2 Mbit/s", "every": "2 s", "count": 90 } } },
          { "name": "100 %", "down": { "random":
            { "from": "1.4 Mbit/s", "to": "6 Mbit/s", "every": "2 s", "count": 90 } } },
          { "name": "150 %", "down": { "random":
            { "from": "2 Mbit/s", "to": "9 Mbit/s", "every": "2 s", "count": 90 } } }
        ],
        "seed": 20
      },
      "baseline": "avfoundation",
      "margin": "50 ms"
    }

    """
}
