import AutowaitScenario

/// What a command sees of the process that it runs in, so that tests can stand in for it.
package struct CommandEnvironment {
  /// A stream of bytes that a command writes to.
  package struct Stream {
    /// What became of bytes that were written.
    package enum WriteOutcome: Hashable, Sendable {
      /// They were taken.
      case written
      /// Nobody reads any more; that is no mistake, as in `autowait run x.json | head`.
      case closed
      /// They could not be written, for a reason such as a full disk.
      case failed(String)
    }

    /// Whether people look at the stream directly.
    package var isTerminal: Bool
    /// Writes bytes.
    package var write: ([UInt8]) -> WriteOutcome

    /// Creates a stream from a function.
    package init(isTerminal: Bool = false, write: @escaping ([UInt8]) -> WriteOutcome) {
      self.isTerminal = isTerminal
      self.write = write
    }
  }

  /// What came of asking for what a command is sent.
  package enum Input: Hashable, Sendable {
    /// The next bytes.
    case bytes([UInt8])
    /// There are no more.
    case end
    /// They could not be read, for a reason.
    case failed(String)
  }

  /// A terminal that gives each key at once, and shows what is drawn instead of what was there.
  package struct Screen {
    /// Takes the terminal over.
    package var enter: () -> Void
    /// Gives it back as it was.
    package var leave: () -> Void
    /// Stops the process until somebody lets it go on; the terminal is as it was meanwhile.
    package var stop: () -> Void

    /// Creates a screen from functions.
    package init(
      enter: @escaping () -> Void, leave: @escaping () -> Void, stop: @escaping () -> Void
    ) {
      (self.enter, self.leave, self.stop) = (enter, leave, stop)
    }
  }

  /// Returns what the command is sent next, as soon as there is something.
  package var input: () -> Input
  /// Returns what the command is sent next, or nil if there is nothing within some milliseconds;
  /// told not to listen, it only waits.
  package var inputWithin: (_ milliseconds: Int, _ listens: Bool) -> Input?
  /// Whether people write the input at a terminal.
  package var isInputTerminal = false
  /// Returns the time of a clock that never goes back, in nanoseconds; results do not depend on it.
  package var nanoseconds: @Sendable () -> Int64 = { 0 }
  /// Returns the value of an environment variable, if it is set.
  package var variable: (String) -> String?
  /// Where results go.
  package var output: Stream
  /// Where all else goes: errors, warnings, progress.
  package var messages: Stream
  /// The width of the terminal in columns, if there is one.
  package var terminalWidth: () -> Int?
  /// The height of the terminal in lines, if there is one.
  package var terminalHeight: () -> Int? = { nil }
  /// The screen on which a command draws and takes keys; nil where there is none.
  package var screen: Screen?
  /// Whether commands tell on a stream that nobody looks at directly how far they are.
  ///
  /// How much they tell depends on the time that they take, which output that is held against other
  /// output must not.
  package var tellsProgress = false
  /// The folder in which the tool lies, if it is known.
  package var toolFolder: String?
  /// The number of processors, and so of threads that help.
  package var processorCount: Int

  /// What `autowait test` plays the second time, which is the scenario; tests plant a defect here.
  package var planted: @Sendable (Scenario) -> Scenario = { $0 }

  /// Creates an environment with two streams, and nothing else in it.
  package init(output: Stream, messages: Stream) {
    input = { .end }
    inputWithin = { _, _ in .end }
    variable = { _ in nil }
    self.output = output
    self.messages = messages
    terminalWidth = { nil }
    processorCount = 1
  }
}
