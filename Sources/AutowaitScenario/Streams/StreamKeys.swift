import Autowait

/// The keys of a stream that is spelled out.
struct StreamKeys {
  /// The keys, by number.
  private(set) var keys: [StreamMedia.ContentKey] = []
  /// Whether the multivariant playlist names the first one.
  private(set) var isInSession = false
  /// The host of the key server; nil for that of the media.
  private(set) var host: String?
  /// The segments that have one key; nil if all have.
  private var every: Int?

  /// The methods of `EXT-X-KEY`, each with the bytes of a key's response.
  ///
  /// A key of AES-128 is its 16 bytes (RFC 8216, 4.3.2.4), one of 256 bits its 32. Assumed: 1,500
  /// bytes for a content key context, which is what the key server of a sample-encrypted stream
  /// answers.
  static let methods: [(word: String, meaning: ByteCount)] = [
    ("AES-128", ByteCount(bytes: 16)), ("SAMPLE-AES", ByteCount(bytes: 1_500)),
    ("SAMPLE-AES-CTR", ByteCount(bytes: 1_500)), ("AES-256", ByteCount(bytes: 32)),
    ("AES-256-CTR", ByteCount(bytes: 32)), ("AES-256-GCM", ByteCount(bytes: 32)),
  ]

  /// Makes a stream that needs none.
  init() {}

  /// Reads `keys`.
  init(_ fields: inout FieldReader, segments: Int) {
    guard var read = fields.object(HLSKeys.keys) else { return }
    let usual = read.value(of: ContentKeyKeys.method)
    let size = read.optional(ContentKeyKeys.size) ?? usual
    let serverDelay = read.value(of: ContentKeyKeys.serverTime)
    isInSession = read.value(of: ContentKeyKeys.sessionKey)
    host = read.optional(ContentKeyKeys.host)
    every = read.optional(ContentKeyKeys.rotateEvery)
    read.finish()
    let count = every.map { (segments - 1) / $0 + 1 } ?? 1
    if count > StreamReader.keysMax {
      read.error("there would be more than \(StreamReader.keysMax) keys", at: "rotateEvery")
      return
    }
    keys = Array(
      repeating: StreamMedia.ContentKey(size: size, serverDelay: serverDelay), count: count)
  }

  /// What the segments of a list need, beside an initialisation section.
  func stretches(segments: Int, _ section: Int?) -> [SegmentList.SegmentStretch] {
    if keys.isEmpty { return [SegmentList.SegmentStretch(first: 0, initialization: section)] }
    return keys.indices.map {
      SegmentList.SegmentStretch(first: $0 * (every ?? segments), initialization: section, key: $0)
    }
  }
}
