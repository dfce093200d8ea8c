import Autowait
import AutowaitScenario

/// What the sessions of an experiment came to when a baseline was saved.
///
/// Sessions are known by the names of their contestant and world and by their seed, and not by
/// their numbers: an experiment may have got more contestants, networks or seeds since.
package struct SavedBaseline: Sendable {
  /// What says which session it is.
  package struct SessionName: Hashable, Sendable {
    /// The name of its contestant.
    package let contestant: String
    /// The values of the axes of its world, in the order of the axes' keys.
    package let world: [String]
    /// Its seed.
    package let seed: UInt64

    /// Creates a name.
    package init(contestant: String, world: [String], seed: UInt64) {
      (self.contestant, self.world, self.seed) = (contestant, world, seed)
    }
  }

  /// The file that it was read from.
  package let path: String
  /// The version of what was simulated.
  package let modelVersion: Int64
  /// The digest of the scenario that all sessions began with; nil if it was not saved.
  package var baseDigest: UInt64?
  /// The keys of the axes of worlds, in the order of their bytes.
  package let axes: [String]
  /// The figures that are known of each session, by their words.
  package let figures: [String]
  /// The figures of each session; nil where nothing was measured.
  package let sessions: [SessionName: [Int64?]]

  /// Creates a baseline.
  package init(
    path: String, modelVersion: Int64, axes: [String], figures: [String],
    sessions: [SessionName: [Int64?]]
  ) {
    (self.path, self.modelVersion) = (path, modelVersion)
    (self.axes, self.figures, self.sessions) = (axes, figures, sessions)
  }
}

extension ExperimentPlan {
  /// The digest of the scenario that all sessions begin with, whatever its spaces.
  package var baseDigest: UInt64 {
    var written: [UInt8] = []
    var (isText, isEscaped) = (false, false)
    for byte in base.source.bytes[base.range] {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      isEscaped = isText && byte == UInt8(ascii: "\\") && !isEscaped
      if isQuote { isText.toggle() }
      if isText || byte > 0x20 { written.append(byte) }
    }
    var digest = Fingerprint()
    digest.mix(bytes: written)
    return digest.value
  }

  /// The places of the axes of worlds, in the order of the axes' keys.
  package var axesByKey: [Int] {
    worldAxes.indices.sorted {
      worldAxes[$0].key.utf8.lexicographicallyPrecedes(worldAxes[$1].key.utf8)
    }
  }

  /// Returns by what a baseline knows a contestant's session in a unit.
  func savedName(_ contestant: String, in unit: ExperimentUnit) -> SavedBaseline.SessionName {
    let names = worldNames(unit.world)
    return SavedBaseline.SessionName(
      contestant: contestant, world: axesByKey.map { names[$0] }, seed: unit.seed)
  }
}
