/// A recording, written by hand: hls.js plays two segments of 4 s, without sound apart, over
/// 100,000 bytes a second.
///
/// The playlists of 1,000 B take 0.01 s each, and the segments of 200,000 B two seconds: the first
/// is there at 2.02 s, and the clock runs 0.174 s later, as was measured of hls.js.
struct RecordedSession {
  /// How the rate of the link is called.
  var shape = "slow"
  var schema = "player-timeline/1"
  var player = "hlsjs"
  var version = "1.6.12"
  var options = "{}"
  var startup = "2.194"
  var stalls = "[]"
  var end = "10.194"
  var schedule = "[[0, 800000, 836000]]"
  /// When the multivariant playlist was asked for and had come.
  var first = (asked: "0.0", done: "0.01")
  var more = ""
  /// What had come over the one connection by when.
  var curve = "[[0.01, 1000], [0.02, 2000], [2.02, 202000], [4.02, 402000]]"
  /// When the clock stood where, and how much was loaded.
  var samples = "[[0, 0, null], [2.1, 0, 4], [3.194, 1, 4]]"

  static let map = """
    {"renditions": {"v0": {"playlist": "media_0.m3u8", "playlist_bytes": 1000, "peak_bps": 400000,
      "segments": [["seg_0_001.m4s", 4.0, 200000], ["seg_0_002.m4s", 4.0, 200000]]}},
     "masters": {"master.m3u8": 1000}}
    """

  /// The same with a better variant.
  static let ladder = """
    {"renditions": {"v0": {"playlist": "media_0.m3u8", "playlist_bytes": 1000, "peak_bps": 400000,
      "segments": [["seg_0_001.m4s", 4.0, 200000], ["seg_0_002.m4s", 4.0, 200000]]},
      "v1": {"playlist": "media_1.m3u8", "playlist_bytes": 1000, "peak_bps": 900000,
      "segments": [["seg_1_001.m4s", 4.0, 450000], ["seg_1_002.m4s", 4.0, 450000]]}},
     "masters": {"master.m3u8": 1000}}
    """

  var text: String {
    """
    {"schema": "\(schema)", "id": "hlsjs__clip__\(shape)__r1",
     "player": {"name": "\(player)", "version": "\(version)", "options": \(options)},
     "media": {"url": "clip/master.m3u8", "map": "media/clip.map.json", "duration_s": 8},
     "link": {"rtt_ms_unloaded": 0.0, "queue_bytes": 32000, "schedule": \(schedule)},
     "host": {"loadavg_after": [0.5, 0.5, 0.5]},
     "sample_columns": ["t", "pos", "buf_end"],
     "samples": \(samples),
     "requests": [
       {"path": "/clip/master.m3u8", "t_req": \(first.asked), "t_done": \(first.done),
         "acked": 1000},
       {"path": "/clip/media_0.m3u8", "t_req": 0.01, "t_done": 0.02, "acked": 1000},
       {"path": "/clip/seg_0_001.m4s", "t_req": 0.02, "t_done": 2.02, "acked": 200000},
       {"path": "/clip/seg_0_002.m4s", "t_req": 2.02, "t_done": 4.02, "acked": 200000}\(more)],
     "connections": [{"acked_curve": \(curve)}],
     "summary": {"startup_s": \(startup), "stalls": \(stalls), "finished_s": \(end)}}
    """
  }
}
