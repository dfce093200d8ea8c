/// The templates about players, and about the rules they follow.
extension FileTemplate {
  static let feed = FileTemplate(
    name: "feed",
    text: """
      {
        "autowait": 1,
        "name": "Feed",
        "about": "A feed loads the next clip early, so that it starts at once.",
        "link": "wpt/lte",
        "media": {
          "kind": "hls", "duration": "15 s", "segmentDuration": "2 s",
          "variants": [ { "bandwidth": "600 kbit/s" }, { "bandwidth": "2 Mbit/s" } ]
        },
        "players": [
          { "name": "first", "preferredForwardBufferDuration": "4 s" },
          { "name": "next", "preferredForwardBufferDuration": "4 s" }
        ],
        "script": [
          { "at": 0, "do": "load", "player": "first" },
          { "at": 0, "do": "play", "player": "first" },
          { "at": "3 s", "do": "load", "player": "next" },
          { "at": "8 s", "do": "pause", "player": "first" },
          { "at": "8 s", "do": "play", "player": "next" }
        ],
        "expect": [
          { "metric": "timeSpentInInitialStartup", "player": "first", "<=": "1 s" },
          { "metric": "timeSpentInInitialStartup", "player": "next", "==": "0 s" },
          { "metric": "stallCount", "player": "next", "==": 0 }
        ]
      }

      """)

  static let queue = FileTemplate(
    name: "queue",
    text: """
      {
        "autowait": 1,
        "name": "Queue",
        "about": "The second movie of a queue loads too late: there is a gap.",
        "link": { "name": "home", "rate": "4.4 Mbit/s" },
        "media": [
          { "name": "first", "kind": "progressive", "duration": "30 s", "bitrate": "4 Mbit/s" },
          { "name": "second", "kind": "progressive", "duration": "20 s", "bitrate": "6 Mbit/s" }
        ],
        "player": { "queue": [ "first", "second" ] },
        "script": [ { "at": 0, "do": "play" } ],
        "expect": [
          { "metric": "timeInGaps", ">=": "4 s", "<=": "5 s" },
          { "metric": "stallCount", "==": 0 },
          { "metric": "mediaPlayed", "==": "50 s" }
        ]
      }

      """)

  static let looper = FileTemplate(
    name: "looper",
    text: """
      {
        "autowait": 1,
        "name": "Looper",
        "about": "AVPlayerLooper plays a clip of 5 s without gaps between laps.",
        "link": { "rate": "20 Mbit/s" },
        "media": { "kind": "local", "duration": "5 s" },
        "player": { "loop": { "by": "looper" }, "latency": { "preroll": "100 ms" } },
        "script": [ { "at": 0, "do": "play" } ],
        "until": "30 s",
        "expect": [
          { "metric": "loopCount", "==": 5 },
          { "metric": "timeInGaps", "==": "0 s" },
          { "metric": "mediaPlayed", "==": "29.9 s" }
        ]
      }

      """)

  static let compare = FileTemplate(
    name: "compare",
    text: """
      {
        "experiment": 1,
        "name": "Which rule starts when",
        "about": "Three startup rules on five links: who is first, who stalls?",
        "base": {
          "media": { "kind": "progressive", "duration": "60 s", "bitrate": "2 Mbit/s" },
          "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ]
        },
        "vary": {
          "heuristic": [ "avfoundation", "media3", "mpv" ],
          "link": [ "chrome/slow-4g", "chrome/fast-4g", "nlc/dsl", "wpt/lte", "nlc/wifi" ]
        }
      }

      """)
}
