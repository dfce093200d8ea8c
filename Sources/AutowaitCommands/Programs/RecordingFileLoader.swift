import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// Notes the files that an experiment asks for while it is read, so that their bytes become part of
/// its digest: the same experiment over another trace is another one.
final class RecordingFileLoader {
  /// What was asked of a file.
  private enum Use: Hashable {
    case content, size
  }

  private static let pieceBytes = 1 << 16

  private let files: ScenarioFiles
  private var seen: Set<String> = []
  private var uses: [(place: String, use: Use)] = []

  init(_ files: ScenarioFiles) {
    self.files = files
  }

  /// The files of the experiment, each of which is noted as it is asked for.
  var experimentFiles: ExperimentFiles {
    let inner = files.experimentFiles
    let loader = FileLoader(
      open: { path, base in
        self.note(path, base, .content)
        return inner.loader.open(path, base)
      },
      size: { path, base in
        self.note(path, base, .size)
        return inner.loader.size(path, base)
      },
      { path, base in
        self.note(path, base, .content)
        return inner.loader.load(path, base)
      })
    return ExperimentFiles(
      loader: loader, list: inner.list, programs: inner.programs,
      acceptance: inner.acceptance)
  }

  /// The real paths of the files.
  var places: [String] { uses.map(\.place) }

  private func note(_ path: String, _ base: String, _ use: Use) {
    let place = try? FileLoader.locate(path, from: base, root: files.root)
    guard let place, seen.insert("\(use) \(place)").inserted else { return }
    uses.append((place, use))
  }

  /// Mixes the files into a digest, in the order in which they were asked for; where they lie has
  /// no part in it, since that differs from machine to machine.
  func digest(_ start: UInt64) throws(Files.SystemProblem) -> UInt64 {
    var digest = Fingerprint()
    digest.mix(start, UInt64(uses.count), 0, 0)
    for (place, use) in uses {
      var count = UInt64(0)
      if use == .size {
        count = UInt64(try Files.size(of: place))
      } else {
        let next = try Files.pieces(place)
        // The system gives pieces of whatever size; what is mixed must not depend on that.
        var pending: [UInt8] = []
        while case let bytes = try next(), !bytes.isEmpty {
          count += UInt64(bytes.count)
          pending += bytes
          while pending.count >= Self.pieceBytes {
            digest.mix(bytes: Array(pending.prefix(Self.pieceBytes)))
            pending.removeFirst(Self.pieceBytes)
          }
        }
        digest.mix(bytes: pending)
      }
      digest.mix(count, use == .size ? 1 : 0, 0, 0)
    }
    return digest.value
  }
}
