/// The templates about servers, and about streams that are live.
extension FileTemplate {
  static let slowServer = FileTemplate(
    name: "slow-server",
    text: """
      {
        "autowait": 1,
        "name": "Slow server",
        "about": "The server is slower than the movie: play() waits once.",
        "link": { "name": "slow server", "rate": "3.2 Mbit/s" },
        "media": { "kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s" },
        "script": [
          { "at": 0, "do": "load" },
          { "when": { "loaded": { ">=": "0.3 s" } }, "do": "play" }
        ],
        "expect": [
          { "never": { "event": "playbackStalled" } },
          { "metric": "timeSpentInInitialStartup", "<=": "6.2 s" },
          { "eventually": { "event": "didPlayToEndTime" }, "within": "46 s" }
        ]
      }

      """)

  static let lateKeys = FileTemplate(
    name: "late-keys",
    text: """
      {
        "autowait": 1,
        "name": "Late keys",
        "about": "The key server takes 1.5 s, and so the stream starts late.",
        "link": "wpt/lte",
        "transport": { "tls": "1.3" },
        "media": {
          "kind": "hls", "duration": "60 s", "segmentDuration": "6 s",
          "variants": [ { "bandwidth": "1 Mbit/s" }, { "bandwidth": "4 Mbit/s" } ],
          "keys": { "serverTime": "1.5 s", "sessionKey": true }
        },
        "player": { "preloadsEligibleContentKeys": false },
        "script": [
          { "at": 0, "do": "loadValues" },
          { "at": "4 s", "do": "load" },
          { "at": "4 s", "do": "play" }
        ],
        "expect": [
          { "metric": "startupContentKeys", ">=": "1.5 s" },
          { "metric": "timeSpentInInitialStartup", "<=": "2.5 s" },
          { "metric": "stallCount", "==": 0 }
        ]
      }

      """)

  static let live = FileTemplate(
    name: "live",
    text: """
      {
        "autowait": 1,
        "name": "Live",
        "about": "25 s without a network: the live stream stays behind by 19.5 s.",
        "link": {
          "rate": "8 Mbit/s",
          "events": [ { "type": "blackout", "at": "30 s", "for": "25 s" } ]
        },
        "media": {
          "kind": "hls", "duration": "10 min", "segmentDuration": "4 s",
          "variants": [ { "bandwidth": "1 Mbit/s" }, { "bandwidth": "3 Mbit/s" } ],
          "live": { "elapsed": "60 s", "window": "60 s" }
        },
        "player": { "automaticallyPreservesTimeOffsetFromLive": false },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "until": "2 min",
        "expect": [
          { "metric": "stallCount", "==": 1 },
          { "at": "30 s", "offsetFromLive": "12.50121 s" },
          { "at": "2 min", "offsetFromLive": "32.00196 s" }
        ]
      }

      """)
}
