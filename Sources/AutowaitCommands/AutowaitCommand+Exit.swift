#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension AutowaitCommand {
  /// Ends the process.
  package static func exit(_ code: Int32) -> Never {
    // Nothing is left to flush or to release, and the destructors of libraries take time.
    _exit(code)
  }
}
