#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signal by which somebody asks a long command how far it is: `SIGUSR1`, and Ctrl-T on macOS.
///
/// A handler may be called at any moment, and does nothing but to take note.
package enum StatusSignal {
  nonisolated(unsafe) private static let flag = {
    let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Takes over the signal; to be called once, at the start of the process.
  package static func install() {
    // What is made when it is first used must be there before a handler uses it.
    _ = flag
    let note: @convention(c) (Int32) -> Void = { _ in StatusSignal.flag.pointee = 1 }
    signal(SIGUSR1, note)
    #if canImport(Darwin)
    signal(SIGINFO, note)
    #endif
  }

  /// Returns whether somebody has asked since this was last looked at.
  package static func take() -> Bool {
    defer { flag.pointee = 0 }
    return flag.pointee != 0
  }
}
