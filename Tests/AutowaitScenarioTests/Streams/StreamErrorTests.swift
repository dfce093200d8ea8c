import Autowait
import AutowaitScenario
import Testing

/// What is said of streams that cannot be read, or are hardly meant.
@Suite struct StreamErrorTests {
  /// Fields of a stream of two variants.
  static let streams = rows(
    #"""
    "segmentDuration":0
      error: 'segmentDuration' must be more than 0
    "segmentDuration":"1 ms","duration2":1
      error: unknown key 'duration2'
      note: did you mean 'duration'? that key is there already
    "segmentDuration":"1 us"
      error: the stream would have more than 1000000 segments
      note: the lists of segments are 2, with 60000000 segments each
    "audio":[{"name":"x"}]
      error: an audio rendition needs the key 'group'
    "audio":[{"group":"a","bitrate":"8 kbit/s","sizes":[1]}]
      error: 'bitrate' cannot be combined with 'sizes'
      error: 'sizes' has 1 sizes, but the stream has 10 segments
    "audio":[{"group":"a","init":5}]
      error: an audio rendition with segments of its own needs 'bitrate' or 'sizes'
    "audio":[{"group":"a"}]
      warning: no variant names the group 'a' of audio
    "subtitles":[{"group":"s","channels":2}]
      error: unknown key 'channels'
      note: the nearest of 8 are: 'name', 'sizes', 'language', 'default', 'init'; \#
    'autowait list keys subtitleRendition' shows all
    "keys":{"method":"AES"}
      error: 'method' has the unknown value 'AES'
      note: the nearest of 6 are: 'AES-128', 'AES-256', 'SAMPLE-AES', 'AES-256-CTR', \#
    'AES-256-GCM'; 'autowait list keys method' shows all
    "keys":{"rotateEvery":0}
      error: 'rotateEvery' must be more than 0
    "segmentDuration":"10 ms","keys":{"rotateEvery":1}
      error: there would be more than 1000 keys
    "multivariantPlaylist":null
      error: without a multivariant playlist there is one variant and no rendition
    "gzip":"yes"
      error: 'gzip' must be a part such as 0.2 or "20 %"
    "gzip":2
      error: 'gzip' is above the limit of 1
    "gzip":[]
      error: 'gzip' must be true, false, or the part that is left
    "startOffset":"90 s"
      warning: 'startOffset' lies outside of the stream
      note: the nearest end is taken (RFC 8216, 4.3.5.2)
    "startOffset":"-61 s"
      warning: 'startOffset' lies outside of the stream
      note: the nearest end is taken (RFC 8216, 4.3.5.2)
    "realDuration":"54 s"
      error: 'realDuration' must lie in the last segment
    "realDuration":"60.001 s"
      error: 'realDuration' must lie in the last segment
    "realDuration":"55 s","live":{}
      error: 'realDuration' cannot be combined with 'live'
    "rewrite":{"preferredFirst":"1280x72 2 Mbit/s"}
      error: there is no variant '1280x72 2 Mbit/s'
      note: did you mean '1280x720 2 Mbit/s'?
    "rewrite":{}
      error: a rewritten playlist needs the key 'preferredFirst'
    "rewrite":{"preferredFirst":"2 Mb/s"}
      error: 'preferredFirst' has the unknown unit 'Mb/s'
      note: 'Mbit/s' is megabits and 'MB/s' megabytes per second
    "rewrite":{"preferredFirst":"low"}
      error: there is no variant 'low'
      note: the variants are: '1280x720 2 Mbit/s', '640x360 1 Mbit/s'
    "failures":[{"of":"segments","status":404}]
      error: 'of' has the unknown value 'segments'
      note: did you mean 'segment'?
    "failures":[{"of":"segment"}]
      error: a failure needs the key 'status'
    "failures":[{"of":"segment","status":200}]
      error: 'status' must be at least 400
    "failures":[{"of":"segment","status":"gone"}]
      error: 'status' must be "noResponse", "nameNotResolved", "redirect", "wrongKey" or a \#
    status of HTTP such as 404, not 'gone'
    "failures":[{"of":"segment","number":10,"status":404}]
      error: there is no segment 10; they count from 0 to 9
    "failures":[{"of":"key","number":0,"status":404}]
      error: there is no key 0
    "failures":[{"of":"segment","variant":2,"status":404}]
      error: there is no variant 2; they count from 0 to 1
    "failures":[{"of":"segment","variant":"640x360 2 Mbit/s","status":404}]
      error: there is no variant '640x360 2 Mbit/s'
      note: did you mean '640x360 1 Mbit/s'?
    "failures":[{"of":"segment","rendition":"x","status":404}]
      error: there is no rendition 'x'
    "failures":[{"of":"segment","variant":0,"rendition":"x","status":404}]
      error: 'rendition' cannot be combined with 'variant'
    "failures":[{"of":"segment","variant":true,"status":404}]
      error: 'variant' must be the name of a variant
    "failures":[{"of":"segment","status":"wrongKey"}]
      error: only a key can be wrong
    "failures":[{"of":"multivariantPlaylist","variant":0,"status":404}]
      error: unknown key 'variant'
      note: the keys are: 'of', 'status', 'count'
    "failures":[{"of":"init","status":404,"count":0}]
      error: 'count' must be more than 0
    "live":{"elapsed":"61 s"}
      error: 'elapsed' must not be longer than the 'duration' of the stream
    "live":{"partDuration":"7 s"}
      error: 'partDuration' must not be longer than 'segmentDuration'
    "live":{"partHoldBack":"7 s"}
      error: 'partHoldBack' needs 'partDuration'
    "live":{"holdBack":"17 s"}
      warning: 'holdBack' is less than three target durations
      note: this is not allowed (RFC 8216 bis, 4.4.3.8)
    "live":{"holdBack":"18 s"}
    "live":{"elapsed":"30 s","window":"18 s"}
    "live":{"elapsed":"30 s","window":"17.9 s"}
      warning: 'window' is shorter than the 18 s from the end at which playback starts: \#
    stalls are likely
      note: AVFoundation logs -16832 for it (observed: AetherEngine 5.18.5)
    "live":{"elapsed":"30 s","window":"2.9 s","partDuration":"1 s","canBlockReload":true}
      warning: 'window' is shorter than the 3 s from the end at which playback starts: \#
    stalls are likely
      note: AVFoundation logs -16832 for it (observed: AetherEngine 5.18.5)
    "live":{"elapsed":"30 s","window":"3.9 s","partDuration":"1 s","partHoldBack":"4 s",\#
    "canBlockReload":true}
      warning: 'window' is shorter than the 4 s from the end at which playback starts: \#
    stalls are likely
      note: AVFoundation logs -16832 for it (observed: AetherEngine 5.18.5)
    "live":{"elapsed":"29 s","window":"30 s"}
      warning: 'elapsed' is less than 'window': the playlist is shorter at the start
    "live":{"window":"30 s"}
      warning: 'elapsed' is less than 'window': the playlist is shorter at the start
    "live":{"partDuration":"1 s"}
      warning: the server has parts, but does not hold its answers: 'canBlockReload' is false
      note: parts need blocking reloads (RFC 8216 bis, 4.4.3.8)
    "live":{"targetDuration":"5.9 s"}
      error: 'targetDuration' must not be shorter than 'segmentDuration'
    "live":{"holdBack":"20 s","targetDuration":"7 s"}
      warning: 'holdBack' is less than three target durations
      note: this is not allowed (RFC 8216 bis, 4.4.3.8)
    "size":5
      error: unknown key 'size'
      note: the nearest of 20 are: 'live', 'name', 'gzip', 'host', 'movie'; \#
    'autowait list keys stream' shows all
    """#)

  /// Fields of a stream without any.
  static let explicitStreams = rows(
    #"""
    "variants":[{"bandwidth":1}]
      error: an item needs the key 'duration'
    "duration":"60 s"
      error: an item needs the key 'variants'
    "duration":"60 s","variants":[]
      error: 'variants' has no variants
    "duration":"60 s","variants":[{}]
      error: a variant needs the key 'bandwidth'
    "duration":"60 s","variants":[{"bandwidth":0}]
      error: 'bandwidth' must be more than 0
    "duration":"60 s","variants":[{"bandwidth":1000,"resolution":"640"}]
      error: 'resolution' must be a size in pixels such as "960x540"
    "duration":"60 s","variants":[{"bandwidth":1000,"resolution":"0x5"}]
      error: 'resolution' must be a size in pixels such as "960x540"
    "duration":"60 s","variants":[{"bandwidth":1000,"videoRange":"HDR"}]
      error: 'videoRange' has the unknown value 'HDR'
      note: did you mean 'SDR'?
    "duration":"60 s","variants":[{"bandwidth":1000,"frameRate":0}]
      error: 'frameRate' must be more than 0
    "duration":"60 s","variants":[{"bandwidth":1000,"sizes":[1,2]}]
      error: 'sizes' has 2 sizes, but the stream has 10 segments
    "duration":"60 s","variants":[{"bandwidth":1000,"sizes":[1,2,3,4,5,6,7,8,9,"x"]}]
      error: an element of 'sizes' must be a size such as "18 MB"
    "duration":"60 s","variants":[{"bandwidth":1000,"sizes":[1,2,3,4,5,6,7,8,9,10],"bitrate":5,"v\#
    ariation":0.1}]
      error: 'bitrate' cannot be combined with 'sizes'
      error: 'variation' cannot be combined with 'sizes'
    "duration":"60 s","variants":[{"bandwidth":1000,"bitrate":1000,"variation":0.1}]
      error: with this 'variation' segments exceed the 'bandwidth'
      note: 'bitrate' must be at most 909 bit/s, and is 1 kbit/s
    "duration":"60 s","variants":[{"bandwidth":1000,"variation":2}]
      error: 'variation' is above the limit of 1
    "duration":"60 s","variants":[{"bandwidth":1000,"audio":"b"}],"audio":[{"group":"a","bitrate"\#
    :"64 kbit/s"}]
      error: there is no group 'b' of audio
      note: the groups are: 'a'
    "duration":"60 s","variants":[{"bandwidth":1000,"subtitles":"b"}]
      error: there is no group 'b' of subtitles
    "duration":"60 s","variants":[{"bandwidth":64000,"audio":"a"}],"audio":[{"group":"a","bitrate\#
    ":"64 kbit/s"}]
      error: the audio of the variant leaves nothing of its bandwidth for its own segments
      note: what a playlist says of a variant includes its renditions
    "duration":"60 s","variants":[{"bandwidth":65000,"averageBandwidth":64000,"audio":"a"}],"audi\#
    o":[{"group":"a","bitrate":"64 kbit/s"}]
      error: the audio of the variant leaves nothing of its bandwidth for its own segments
      note: what a playlist says of a variant includes its renditions
    "duration":"60 s","variants":[{"bandwidth":1000,"averageBandwidth":1001}]
      warning: 'averageBandwidth' is above 'bandwidth'
    "duration":"60 s","variants":[{"bandwidth":1000,"bitrate":1001}]
      warning: 'bitrate' is above 'bandwidth'
    "duration":"60 s","variants":[{"bandwidth":1000,"sizes":[750,750,751,750,750,750,750,750,750,\#
    750]}]
      warning: segment 2 is above 'bandwidth'
      note: its rate is 1002 bit/s
    "duration":"60 s","variants":[{"bandwidth":1000,"band":5}]
      error: unknown key 'band'
      note: did you mean 'averageBandwidth'?
    "duration":"366 d","segmentDuration":"1 h","variants":[{"bandwidth":"1 Tbit/s"}]
      error: the segments would be larger than the limit of 1 TB
    "duration":"366 d","variants":[{"bandwidth":5}]
      error: the stream would have more than 1000000 segments
      note: the lists of segments are 1, with 5270400 segments each
    "duration":"60 s","variants":[{"bandwidth":1000},{"bandwidth":2000}],"segmentDuration":"100 \#
    us"
      error: the stream would have more than 1000000 segments
      note: the lists of segments are 2, with 600000 segments each
    "duration":"60 s","variants":[{"bandwidth":1000},{"bandwidth":2000}],"multivariantPlaylist":n\#
    ull
      error: without a multivariant playlist there is one variant and no rendition
    "duration":"60 s","variants":[{"bandwidth":1000}],"multivariantPlaylist":null,"keys":{"sessio\#
    nKey":true}
      error: only a multivariant playlist can name session keys
    "duration":"60 s","variants":[{"bandwidth":1000}],"multivariantPlaylist":null
    """#)

  /// Settings of a player that has a stream of two variants.
  static let players = rows(
    #"""
    "preferredPeakBitRate":999999
      warning: no variant is within 999999 bit/s: the lowest one plays
    "preferredPeakBitRate":1000000
    "preferredPeakBitRate":2000
      warning: 'preferredPeakBitRate' is 2 kbit/s: less than any stream
      note: the property is in bit/s; 2000 kbit/s may have been meant
    "preferredPeakBitRate":9999
      warning: 'preferredPeakBitRate' is 9999 bit/s: less than any stream
      note: the property is in bit/s; 9999 kbit/s may have been meant
    "preferredPeakBitRate":10000
      warning: no variant is within 10 kbit/s: the lowest one plays
    "preferredPeakBitRateForExpensiveNetworks":"3 kbit/s"
      warning: 'preferredPeakBitRateForExpensiveNetworks' is 3 kbit/s: less than any stream
      note: the property is in bit/s; 3000 kbit/s may have been meant
    "preferredMaximumResolution":"big"
      error: 'preferredMaximumResolution' must be a size in pixels such as "960x540"
    "layer":"375@2x"
      error: 'layer' must be a size in points with its scale such as "375x211@2x"
    "layer":"375x211@"
      error: 'layer' must be a size in points with its scale such as "375x211@2x"
    "layer":"375x211@11x"
      error: 'layer' must be a size in points with its scale such as "375x211@2x"
    "layer":{"width":375}
      error: a layer needs the key 'height'
    "layer":{"width":0,"height":5}
      error: 'width' must be more than 0
    "layer":"60000x60000@2x"
      error: 'layer' must be a size in points with its scale such as "375x211@2x"
    "codecs":["h264"]
      error: an element of 'codecs' has the unknown value 'h264'
      note: the nearest of 14 are: 'hevc', 'avc', 'av1', 'vp9', 'aac'; \#
    'autowait list keys codecs' shows all
    "codecs":["aac"]
    "preloadsEligibleContentKeys":true
      warning: 'preloadsEligibleContentKeys' changes nothing: no stream has a session key
      note: only what EXT-X-SESSION-KEY names is known so early (WWDC16 503)
    "startsOnFirstEligibleVariant":true,"contract":"ios13"
      error: 'startsOnFirstEligibleVariant' does not exist before iOS 14
    "preferredForwardBufferDuration":5,"contract":"ios9"
      error: 'preferredForwardBufferDuration' does not exist before iOS 10
    "preferredMaximumResolution":"1x1","contract":"ios10"
      error: 'preferredMaximumResolution' does not exist before iOS 11
    "preferredPeakBitRateForExpensiveNetworks":100000,"contract":"ios14"
      error: 'preferredPeakBitRateForExpensiveNetworks' does not exist before iOS 15
    "preferredMaximumResolutionForExpensiveNetworks":"1x1","contract":"ios14"
      error: 'preferredMaximumResolutionForExpensiveNetworks' does not exist before iOS 15
    "streaming":{"rule":"bolla"}
      error: 'rule' must be "avfoundation", "throughput", "fixed", "hls.js", \#
    "hls.js-test-fragment", "dash.js", "shaka", "shaka-4.7", "media3", "vhs", \#
    "chromium-hls", "sabre-throughput", "bola", "bola-e", "dynamic", "dynamic-dash", \#
    "bba", "mpc", "robust-mpc" or a script \#
    such as {"scripted": [0, 1]}, not 'bolla'
      note: did you mean 'bola'?
    "streaming":{"rule":{"name":"bola","halfLives":["3 s"],"windows":[3]}}
      error: 'windows' cannot be combined with 'halfLives'
    "streaming":{"rule":{"name":"bola","windows":[]}}
      error: 'windows' must be one to ten numbers
    "streaming":{"rule":{"scripted":[]}}
      error: 'scripted' has no variants
    "streaming":{"rule":{"scripted":[0,1,2]}}
      error: there is no variant 2; they count from 0 to 1
    "streaming":{"rule":{}}
      error: a rule needs the key 'scripted'
    "streaming":{"climb":0}
      error: 'climb' must be more than 0
    "streaming":{"segments":0}
      error: 'segments' must be more than 0
    "streaming":{"retries":-1}
      error: 'retries' must not be negative
    "streaming":{"abandonedAfter":"soon"}
      error: 'abandonedAfter' must be a time such as "39 s"
    "streaming":{"responseTimeout":0}
      error: 'responseTimeout' must be more than 0
    "observedBitrate":0
      error: 'observedBitrate' must be more than 0
    "automaticallyPreservesTimeOffsetFromLive":true
      warning: 'automaticallyPreservesTimeOffsetFromLive' changes nothing: no stream is live
    "canUseNetworkResourcesForLiveStreamingWhilePaused":false
      warning: 'canUseNetworkResourcesForLiveStreamingWhilePaused' changes nothing: no stream is \#
    live
    "streaming":{"freezesWhenPaused":true}
      warning: 'freezesWhenPaused' changes nothing: no stream is live
    "streaming":{"restartsShortWindows":true}
      warning: 'restartsShortWindows' changes nothing: no stream is live
    "contract":12,"automaticallyPreservesTimeOffsetFromLive":true
      error: 'automaticallyPreservesTimeOffsetFromLive' does not exist before iOS 13
      warning: 'automaticallyPreservesTimeOffsetFromLive' changes nothing: no stream is live
    "expensiveNetwork":1
      error: 'expensiveNetwork' must be true or false, not a number
    """#)

  /// Steps of the script.
  static let steps = rows(
    #"""
    "do":"loadValues","item":1
      error: there is no item 1; items count from 0 to 0
    "do":"createItem","item":null
      error: 'item' must be the number or the name of an item, not null
    "do":"set","preferredPeakBitRate":500
      warning: 'preferredPeakBitRate' is 500 bit/s: less than any stream
      note: the property is in bit/s; 500 kbit/s may have been meant
    "do":"set","layer":"x"
      error: 'layer' must be a size in points with its scale such as "375x211@2x"
    "do":"set","preferredMaximumResolution":5
      error: 'preferredMaximumResolution' must be a size in pixels such as "960x540"
    "do":"set","expensiveNetwork":null
      error: 'expensiveNetwork' must be true or false, not null
    "do":"set","preferredForwardBufferDuration":null
      error: 'preferredForwardBufferDuration' must be a time such as "39 s", not null
    "do":"set","preferredPeakBitRate":1,"layer":null
      warning: 'preferredPeakBitRate' is 1 bit/s: less than any stream
      note: the property is in bit/s; 1 kbit/s may have been meant
      error: 'layer' cannot be combined with 'preferredPeakBitRate'
    """#)

  @Test(arguments: streams)
  func ofAStream(_ row: Row) {
    check(StreamFixture.messages(StreamFixture.streamMedia + "," + row.fields), row)
  }

  @Test(arguments: explicitStreams)
  func ofAnExplicitStream(_ row: Row) {
    check(StreamFixture.messages(row.fields), row)
  }

  @Test(arguments: players)
  func ofAPlayer(_ row: Row) {
    check(StreamFixture.messages(player: row.fields), row)
  }

  @Test(arguments: steps)
  func ofAStep(_ row: Row) {
    check(StreamFixture.messages(script: ",{\"at\":1,\(row.fields)}"), row)
  }

  @Test(arguments: [
    (#""rate":"fast""#, ""), (#""rate":1"#, #","failures":[{"of":"segment","status":1}]"#),
    (#""rate":1"#, #","audio":[{}]"#),
  ])
  func aMistakeDoesNotSpoilTheRest(_ link: String, _ fields: String) {
    let text = """
      {"link":{\(link)},"media":[{"kind":"hls",\(StreamFixture.streamMedia)\(fields)},\
      {"kind":"hls","duration":1,"variants":[{"bandwidth":8}]}],\
      "player":{"preferredForwardBufferDuration":5},"script":[{"at":0,"do":"load","item":1}]}
      """
    let (_, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.count == 1)
    #expect(findings.allSatisfy { $0.severity == .error })
  }

  @Test func moreListsThanAnybodyNeeds() {
    let variants = { Array(repeating: "{\"bandwidth\":1}", count: $0).joined(separator: ",") }
    let stream = { "\"duration\":1,\"variants\":[\(variants($0))]" }
    #expect(StreamFixture.messages(stream(1_000)) == [])
    #expect(
      StreamFixture.messages(stream(1_001))
        == ["error: there are more than 1000 variants and renditions"])
  }

  /// Fields, and what is said of them: the lines below them that are indented.
  struct Row: Sendable, CustomTestStringConvertible {
    let fields: String
    var expected: [String] = []

    var testDescription: String { fields }
  }

  private static func rows(_ text: String) -> [Row] {
    text.split(separator: "\n").reduce(into: []) { rows, line in
      if line.hasPrefix("  ") {
        rows[rows.count - 1].expected.append(String(line.dropFirst(2)))
      } else {
        rows.append(Row(fields: String(line)))
      }
    }
  }

  private func check(
    _ messages: [String], _ row: Row, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(messages == row.expected, sourceLocation: sourceLocation)
  }
}
