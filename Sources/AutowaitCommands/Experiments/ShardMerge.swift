import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// Shards that were gathered: which there are, which are missing or damaged, and what makes them.
struct ShardMerge {
  /// What is wrong with a file.
  struct ShardFault {
    let path: String
    let reason: String
    /// Whether it is whole, but has no place in this experiment.
    var isExternal = false
  }

  /// The shards, file by file.
  private(set) var sections: [ShardFiles.Section] = []
  /// The files that cannot be used.
  private(set) var faults: [ShardFault] = []
  /// All files that were read.
  private(set) var paths: [String] = []

  /// Reads all shards below some folders.
  init(_ folders: [String]) throws(FolderProblem) {
    for folder in folders {
      let files: [String]
      do throws(Files.SystemProblem) { files = try Files.list(folder, ShardFiles.isShard) } catch {
        throw FolderProblem(folder: folder, reason: error.reason)
      }
      for path in files { read(path) }
      paths += files
    }
  }

  /// Why a folder could not be listed.
  struct FolderProblem: Error {
    let folder: String
    let reason: String
  }

  private mutating func read(_ path: String) {
    do throws(Files.SystemProblem) {
      switch try ShardFiles.sections(path) {
      case .success(let found): sections += found
      case .failure(let place): faults.append(ShardFault(path: path, reason: place.text))
      }
    } catch {
      faults.append(ShardFault(path: path, reason: "the file \(error.reason)"))
    }
  }

  /// The number of shards, if all tell the same; else what those are that differ.
  var split: Result<Int?, ShardMismatch> {
    var first: (count: Int, path: String)?
    for section in sections {
      guard let shard = section.trailer.shard else { continue }
      if let first, first.count != shard.count {
        return .failure(
          ShardMismatch(
            message: "these are shards of two splits: \(first.path) is one of \(first.count), "
              + "\(section.path) one of \(shard.count)"))
      }
      first = first ?? (shard.count, section.path)
    }
    if let first { return .success(first.count) }
    // Of what is damaged at least the name may be whole.
    return .success(faults.lazy.compactMap { ShardFiles.shard(inName: $0.path)?.count }.first)
  }

  /// Why shards do not belong together.
  struct ShardMismatch: Error {
    let message: String
  }

  /// Takes out what does not belong to an experiment.
  mutating func keep(_ experiment: ShardedExperiment) {
    let all = sections
    sections = []
    for section in all {
      let trailer = section.trailer
      if let reason = trailer.foreignness(to: experiment) {
        faults.append(ShardFault(path: section.path, reason: reason, isExternal: true))
      } else if !trailer.fits(experiment.plan) {
        let reason = "it does not have the rows that belong to its shard"
        faults.append(ShardFault(path: section.path, reason: reason))
      } else {
        sections.append(section)
      }
    }
  }

  /// Why no shard belongs to the experiment, if it is the same for all that there are.
  var commonForeignness: String? {
    guard sections.isEmpty, let first = faults.first, first.isExternal,
      faults.allSatisfy({ $0.isExternal && $0.reason == first.reason })
    else { return nil }
    return first.reason
  }

  /// How the shards lie beside each other.
  func cover(_ plan: ExperimentPlan) -> ShardCover {
    ShardCover(sections.map(\.trailer.units), unitCount: plan.unitCount)
  }

  /// Returns pairs of files that tell of the same sessions in other words.
  func mismatches(_ cover: ShardCover) -> [ShardMismatch] {
    cover.duplicates.compactMap { pair in
      let (first, second) = (sections[pair.first], sections[pair.second])
      if isEqual(first, second) { return nil }
      return ShardMismatch(
        message: "\(first.path) and \(second.path) describe the same sessions, but differ")
    }
      + cover.overlaps.map { pair in
        let (first, second) = (sections[pair.first], sections[pair.second])
        return ShardMismatch(
          message: "\(first.path) and \(second.path) share some sessions, but not all")
      }
  }

  private func isEqual(_ first: ShardFiles.Section, _ second: ShardFiles.Section) -> Bool {
    guard first.trailer.rows == second.trailer.rows, first.trailer.digest == second.trailer.digest
    else { return false }
    var (left, right) = (ShardRows([first]), ShardRows([second]))
    do throws(RowError) {
      while true {
        let (one, other) = (try left.next(), try right.next())
        if one != other { return false }
        if one == nil { return true }
      }
    } catch {
      return false
    }
  }
}

/// The rows of shards, one line after another, of which only one is kept.
struct ShardRows {
  private var rest: ArraySlice<ShardFiles.Section>
  private var feed: LineSplitter?
  private var path = ""
  /// The lines of the file that were read.
  private var line = 0
  /// The rows of the shard that were not read.
  private var left = 0
  private var digest = RowDigest()
  private var wanted: UInt64 = 0

  /// Creates the rows of shards in this order.
  init(_ sections: [ShardFiles.Section]) {
    rest = sections[...]
  }

  /// Returns the next row; nil behind the last.
  ///
  /// A file that changed since it was held against its trailer is an error.
  mutating func next() throws(RowError) -> [UInt8]? {
    while left == 0 {
      guard let section = rest.popFirst() else { return nil }
      try open(section)
    }
    guard let line = try readLine(), case let key = line.count, key > 0 else {
      throw RowError("the file \(path) was changed while it was read")
    }
    left -= 1
    digest.add(line, key: SessionKey(0))
    if left == 0, digest.value != wanted {
      throw RowError("the file \(path) was changed while it was read")
    }
    return line
  }

  private mutating func open(_ section: ShardFiles.Section) throws(RowError) {
    // Shards that lie behind one another in a file are read on from where the last one ended.
    if feed == nil || path != section.path || section.linesBefore < line {
      do throws(Files.SystemProblem) {
        feed = LineSplitter(lineMax: ShardFiles.lineMax, try Files.pieces(section.path))
      } catch {
        throw RowError("the file \(section.path) \(error.reason)")
      }
      path = section.path
      line = 0
    }
    while line < section.linesBefore { _ = try readLine() }
    left = section.trailer.rows
    wanted = section.trailer.digest
    digest = RowDigest()
  }

  private mutating func readLine() throws(RowError) -> [UInt8]? {
    guard var current = feed else { return nil }
    defer { feed = current }
    line += 1
    do throws(RowError) {
      return try ShardFiles.line(&current)
    } catch {
      throw RowError("the file \(path) was changed while it was read: \(error.reason)")
    }
  }
}
