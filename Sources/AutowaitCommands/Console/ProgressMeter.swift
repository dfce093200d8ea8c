#if canImport(Glibc)
import AutowaitRendering
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Shows how far a long command is: a bar on a terminal, now and then a line elsewhere.
///
/// Nothing is shown of what takes less than a second, and results never depend on it. Who sends
/// ``StatusSignal`` is told at the next step.
final class ProgressMeter {
  private static let silentSeconds = 1.0
  private static let lineSeconds = 10.0
  private static let barColumns = 20

  private let console: Console
  private let total: Int?
  private let word: String
  private let started = ProgressMeter.now
  private var shown = 0.0

  /// Begins with nothing done; nil where nobody knows how much there is to do.
  init(_ console: Console, total: Int? = nil, word: String) {
    self.console = console
    self.total = total
    self.word = word
  }

  /// Takes note of what is done.
  func tell(_ done: Int) {
    let passed = Self.now - started
    let isTerminal = console.environment.messages.isTerminal
    guard isTerminal || console.environment.tellsProgress else { return }
    if console.environment.tellsProgress, StatusSignal.take() {
      console.message(Self.line(done: done, of: total, seconds: passed, word: word))
    }
    let pause = isTerminal ? 0.2 : shown == 0 ? Self.silentSeconds : Self.lineSeconds
    guard passed >= Self.silentSeconds, passed - shown >= pause, done > 0 else { return }
    shown = passed
    let line = Self.line(done: done, of: total, seconds: passed, word: word)
    if isTerminal {
      console.progress((total.map { Self.bar(done, $0) + " " } ?? "") + line)
    } else {
      console.message(line)
    }
  }

  /// Returns what is done, how fast, and how long the rest will take.
  static func line(done: Int, of total: Int?, seconds: Double, word: String) -> String {
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var text = total.map { "\(done) of \(Plural.text($0, word))" } ?? Plural.text(done, word)
    if rate >= 1 { text += ", \(Int(rate))/s" }
    if rate > 0, let total, done < total {
      text += ", \(duration(Int(Double(total - done) / rate) + 1)) left"
    }
    return text
  }

  private static func bar(_ done: Int, _ total: Int) -> String {
    let filled = total == 0 ? barColumns : Int(Int128(done) * Int128(barColumns) / Int128(total))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: barColumns - filled) + "]"
  }

  private static func duration(_ seconds: Int) -> String {
    switch seconds {
    case ..<90: "\(seconds) s"
    case ..<5_400: "\((seconds + 30) / 60) min"
    default: "\((seconds + 1_800) / 3_600) h"
    }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
