/// The templates about networks.
extension FileTemplate {
  static let train = FileTemplate(
    name: "train",
    text: """
      {
        "autowait": 1,
        "name": "Train",
        "about": "LTE on a train, and no signal for 45 s: playback stalls once.",
        "link": {
          "use": "wpt/lte",
          "events": [ { "type": "blackout", "at": "20 s", "for": "45 s", "drop": "new" } ]
        },
        "media": {
          "kind": "hls", "duration": "3 min", "segmentDuration": "6 s",
          "variants": [
            { "bandwidth": "800 kbit/s", "resolution": "640x360" },
            { "bandwidth": "2.4 Mbit/s", "resolution": "1280x720" },
            { "bandwidth": "6 Mbit/s", "resolution": "1920x1080" }
          ]
        },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "expect": [
          { "metric": "timeSpentInInitialStartup", "<=": "1 s" },
          { "metric": "stallCount", "==": 1 },
          { "metric": "timeSpentRecoveringFromStall", "<=": "30 s" }
        ]
      }

      """)

  static let tunnel = FileTemplate(
    name: "tunnel",
    text: """
      {
        "autowait": 1,
        "name": "Tunnel",
        "about": "A movie over 3G, and 8 s in a tunnel: TCP recovers late.",
        "link": {
          "use": "wpt/3g-fast@queue=50",
          "events": [ { "type": "blackout", "at": "15 s", "for": "8 s", "drop": "both" } ]
        },
        "media": { "kind": "progressive", "duration": "60 s", "bitrate": "1.2 Mbit/s" },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "expect": [
          { "metric": "stallCount", "==": 1 },
          { "metric": "timeSpentRecoveringFromStall", "<=": "20 s" },
          { "never": { "event": "mediaRequestFailed" } }
        ]
      }

      """)

  static let elevator = FileTemplate(
    name: "elevator",
    text: """
      {
        "autowait": 1,
        "name": "Elevator",
        "about": "The device knows that it is offline for 25 s, and asks again.",
        "link": {
          "use": "wpt/lte",
          "events": [ { "type": "offline", "at": "20 s", "for": "25 s" } ]
        },
        "media": {
          "kind": "hls", "duration": "90 s", "segmentDuration": "6 s",
          "variants": [ { "bandwidth": "1 Mbit/s" }, { "bandwidth": "4 Mbit/s" } ]
        },
        "player": { "preferredForwardBufferDuration": "15 s" },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "expect": [
          { "eventually": { "event": "newErrorLogEntry", "value": -1009 }, "count": 6 },
          { "metric": "stallCount", "==": 1 },
          { "never": { "event": "status", "value": "failed" } }
        ]
      }

      """)

  static let hotelWifi = FileTemplate(
    name: "hotel-wifi",
    text: """
      {
        "autowait": 1,
        "name": "Hotel Wi-Fi",
        "about": "3 Mbit/s that lose packets, and another guest's download.",
        "link": {
          "name": "hotel",
          "down": { "rate": "3 Mbit/s", "delay": "30 ms", "loss": "0.5 %" },
          "up": { "rate": "1 Mbit/s", "delay": "30 ms" }
        },
        "traffic": [ { "kind": "download", "from": "10 s", "to": "40 s" } ],
        "media": {
          "kind": "hls", "duration": "60 s", "segmentDuration": "6 s",
          "variants": [
            { "bandwidth": "700 kbit/s" }, { "bandwidth": "1.4 Mbit/s" },
            { "bandwidth": "2.8 Mbit/s" }
          ]
        },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "expect": [
          { "metric": "timeSpentInInitialStartup", "<=": "2 s" },
          { "metric": "stallCount", "==": 0 },
          { "metric": "variantSwitchCount", "==": 2 }
        ]
      }

      """)

  static let handover = FileTemplate(
    name: "handover",
    text: """
      {
        "autowait": 1,
        "name": "Handover",
        "about": "Wi-Fi ends, connections break, and cellular is far slower.",
        "link": {
          "use": "nlc/wifi",
          "events": [
            { "type": "handover", "at": "2 s", "gap": "1 s", "to": "wpt/3g-fast@queue=50" }
          ]
        },
        "transport": { "retriesMax": 0 },
        "media": {
          "kind": "hls", "duration": "60 s", "segmentDuration": "4 s",
          "variants": [ { "bandwidth": "600 kbit/s" }, { "bandwidth": "8 Mbit/s" } ]
        },
        "script": [ { "at": 0, "do": "load" }, { "at": 0, "do": "play" } ],
        "expect": [
          { "metric": "recoverableErrorCount", "==": 1 },
          { "metric": "stallCount", "==": 1 },
          { "metric": "timeSpentRecoveringFromStall", "<=": "10 s" }
        ]
      }

      """)
}
