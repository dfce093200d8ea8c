import Autowait
import Testing

/// The place where something begins to hold, from every guess.
@Suite struct HalvingTests {
  @Test("a guess finds the place that halving finds", arguments: 0...5)
  func guesses(_ start: Int) {
    for end in start...start + 5 {
      for first in start - 1...end + 1 {
        for guess in 0...end + 2 {
          let place = (start..<end).firstPlace(near: guess) { $0 >= first }
          #expect(place == min(max(first, start), end), "\(start)..<\(end), \(first), \(guess)")
        }
      }
    }
  }

  @Test("nothing outside of the range is asked for")
  func staysInside() {
    for guess in 0...9 {
      _ = (3..<6).firstPlace(near: guess) { place in
        #expect((3..<6).contains(place), "\(place) is asked for, near \(guess)")
        return place >= 5
      }
    }
  }
}
