import Autowait
import AutowaitScenario
import Testing

/// No bytes crash a reader or keep it busy forever, and whatever was read can be written.
@Suite struct TraceFuzzTests {
  @Test(arguments: TraceSample.all)
  func truncations(_ sample: TraceSample) {
    let bytes = Array(sample.text.utf8)
    for count in stride(from: 0, to: bytes.count, by: 7) { check(Array(bytes[..<count]), sample) }
  }

  @Test(arguments: TraceSample.all)
  func mutations(_ sample: TraceSample) {
    var random = SplitMix64(seed: UInt64(sample.text.utf8.count))
    for _ in 0..<25 {
      var bytes = Array(sample.text.utf8)
      for _ in 0...random.next() % 4 where !bytes.isEmpty {
        let place = Int(random.next() % UInt64(bytes.count))
        let other = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 7 {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.insert(bytes[other], at: place)
        case 3: bytes.swapAt(place, other)
        case 4: bytes.removeSubrange(min(place, other)..<max(place, other))
        // Numbers become huge.
        case 5: bytes.insert(contentsOf: Array("99999999999999".utf8), at: place)
        default: bytes[place] ^= 1 << (random.next() % 8)
        }
      }
      check(bytes, sample)
    }
  }

  private func check(_ bytes: [UInt8], _ sample: TraceSample) {
    for format in [sample.format, nil] {
      var options = TraceOptions()
      options.format = format
      options.profileName = sample.profileName
      let reading = TraceReader.read(TraceSample.source(bytes, chunk: 100), options)
      let hasErrors = reading.findings.contains { $0.severity == .error }
      #expect(hasErrors == (reading.link == nil))
      for finding in reading.findings { #expect(!finding.rendered.isEmpty) }
      guard let link = reading.link else { continue }
      for target in TraceFormat.allCases where target.isWritten && target != .mahimahi {
        _ = try? TraceWriter.write(link, target)
      }
    }
  }
}
