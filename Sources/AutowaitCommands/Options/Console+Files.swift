import AutowaitFiles
import AutowaitScenario

/// Results that go to a file.
extension Console {
  /// Lets a body print its results into a file, which is put in its place when it is whole; without
  /// a path they are printed.
  ///
  /// Messages stay messages. Returns what the body does; where that is nil it came to an early end,
  /// and there is no file.
  func writing(
    to path: String?, _ body: (Console) throws(Command.UsageError) -> ExitCode?
  ) throws(Command.UsageError) -> ExitCode? {
    guard let path else { return try body(self) }
    func report(_ problem: Files.SystemProblem) -> ExitCode {
      self.report([Finding(.error, "the file \(problem.reason)", path: path)])
      return .invalid
    }
    let file: GrowingFile
    do throws(Files.SystemProblem) { file = try GrowingFile(for: path) } catch {
      return report(error)
    }
    var problem: Files.SystemProblem?
    var redirected = environment
    redirected.output = CommandEnvironment.Stream { bytes in
      do throws(Files.SystemProblem) { try file.write(bytes) } catch {
        problem = error
        return .failed(error.reason)
      }
      return .written
    }
    let console = Console(redirected)
    console.messageColor = messageColor
    let code = try body(console)
    console.flush()
    if let problem { return report(problem) }
    guard let code else { return nil }
    do throws(Files.SystemProblem) { try file.finish() } catch { return report(error) }
    return code
  }
}

extension Files {
  /// Writes all files or, if one of them cannot be written, none; reports what went wrong.
  static func store(_ files: [(path: String, bytes: [UInt8])], _ console: Console) -> ExitCode {
    // What is staged and not put in its place is removed at the end.
    var staged: [(path: String, file: Staged)] = []
    for (path, bytes) in files {
      do throws(SystemProblem) {
        staged.append((path, try stage(bytes, for: path)))
      } catch {
        console.report([Finding(.error, "the file \(error.reason)", path: path)])
        return .invalid
      }
    }
    // What is no file can still fail, and goes first.
    staged = staged.filter { !$0.file.isFile } + staged.filter { $0.file.isFile }
    for (path, file) in staged {
      do throws(SystemProblem) {
        try put(file)
      } catch {
        console.report([Finding(.error, "the file \(error.reason)", path: path)])
        return .invalid
      }
    }
    return .fine
  }

  /// Makes a folder, unless it is there; returns false after having reported why it cannot be made.
  static func make(folder path: String, _ console: Console) -> Bool {
    do throws(SystemProblem) {
      try makeFolder(path)
      return true
    } catch {
      console.report([Finding(.error, "the folder \(error.reason)", path: path)])
      return false
    }
  }
}

extension Console {
  /// Reads standard input to its end, or says why it cannot be read.
  func standardInput() -> Result<SourceText, Finding> {
    var bytes: [UInt8] = []
    while true {
      switch environment.input() {
      case .bytes(let more):
        bytes += more
        if bytes.count > JSONDocument.bytesMax {
          return .failure(Finding(.error, "standard input is too long", path: "-"))
        }
      case .end: return .success(SourceText(path: "-", bytes: bytes))
      case .failed(let reason):
        return .failure(Finding(.error, "standard input cannot be read: \(reason)", path: "-"))
      }
    }
  }
}
