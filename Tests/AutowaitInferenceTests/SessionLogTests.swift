import Autowait
import AutowaitInference
import Testing

@Suite struct SessionLogTests {
  /// A transfer has an end and bytes; what came from a cache, or never ended, is none.
  @Test(arguments: [
    (ByteCount(bytes: 1), Instant.start, true), (.zero, .start, false), (nil, .start, false),
    (ByteCount(bytes: 1), nil, false),
  ])
  func transfers(_ size: ByteCount?, _ done: Instant?, _ isTransfer: Bool) {
    var request = SessionRequest(.segment, sent: .start, quantum: .milliseconds(1))
    (request.size, request.done) = (size, done)
    #expect(request.isTransfer == isTransfer)
  }
}
