import Autowait
import AutowaitScenario
import AutowaitWorlds

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `autowait-worlds`: draws worlds and holds them against the laws.
enum WorldsCommand {
  private static let help = """
    usage: autowait-worlds run A..B [--jobs N] [--keep FOLDER]
             draws the worlds A to B − 1, runs each in every way there is, and prints which laws do
             not hold; the smallest scenarios that show it are kept in FOLDER. Ends with 1 if a law
             does not hold.
           autowait-worlds judge FILE… [--seed N]
             holds scenarios against the laws; N says where runs are looked at, cut and copied
           autowait-worlds show N [FOLDER]
             prints the scenario of a world, or writes it to FOLDER with the files that it names
           autowait-worlds digest A..B [--every K] [--event-by-event]
             prints what identifies the runs of worlds, for two builds or two ways to agree upon
    """

  static func main(_ arguments: [String]) -> Never {
    let words = Array(arguments.dropFirst())
    switch words.first {
    case "run" where words.count >= 2: run(words)
    case "chunk" where words.count == 3: chunk(range(words[1]), note: words[2])
    case "judge" where words.count >= 2:
      let seed = value("--seed", words).flatMap { UInt64($0) } ?? 0
      judge(words.dropFirst().prefix { $0 != "--seed" }, seed: seed)
    case "show" where words.count >= 2: show(words)
    case "digest" where words.count >= 2:
      let every = value("--every", words).flatMap { UInt64($0) } ?? 1
      let pace: Simulation.Pace = words.contains("--event-by-event") ? .eventByEvent : .fast
      for seed in range(words[1]) where seed % every == 0 {
        print(WorldRun.digest(seed, pace: pace))
      }
      exit(0)
    default:
      print(help)
      exit(words.first == "--help" ? 0 : 2)
    }
  }

  private static func range(_ word: String) -> Range<UInt64> {
    let ends = word.split(separator: ".", omittingEmptySubsequences: true).map { UInt64($0) }
    guard ends.count == 2, let start = ends[0], let end = ends[1], start <= end else {
      ToolFiles.fail("worlds are given as in 0..1000, not as '\(word)'")
    }
    return start..<end
  }

  private static func value(_ option: String, _ words: [String]) -> String? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    return words[place + 1]
  }

  // MARK: - Many worlds

  private static func run(_ words: [String]) -> Never {
    let keep = value("--keep", words)
    var search = WorldSearch(
      range(words[1]), jobs: value("--jobs", words).flatMap { Int($0) } ?? 2,
      scratch: keep.map { $0 + "/scratch" } ?? ".build/worlds")
    let start = seconds()
    search.run()
    print(search.summary(seconds: max(1, seconds() - start)))
    let laws = Set(search.found.map(\.law)).sorted()
    for law in laws {
      let all = search.found.filter { $0.law == law }
      print("broken: \(law): \(all.count) worlds, the first is \(all[0].seed): \(all[0].message)")
      guard let keep else { continue }
      for found in all.prefix(3) { print("kept: \(search.keep(found, in: keep))") }
    }
    exit(search.found.isEmpty ? 0 : 1)
  }

  private static func seconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec)
  }

  /// What a child does: judges some worlds, and prints what it found line by line.
  private static func chunk(_ seeds: Range<UInt64>, note path: String) -> Never {
    let note = Note(path)
    var run = WorldRun()
    for seed in seeds {
      note.take(seed)
      // A world that does not come to an end is one that ends before its time.
      alarm(120)
      run.judge(seed)
    }
    run.finish()
    for found in run.found {
      let message = found.breach.message.split(separator: "\n").joined(separator: " ")
      print("found\t\(found.seed)\t\(found.breach.law.rawValue)\t\(message)")
    }
    print("refused\t\(run.refusedCount)")
    print("events\t\(run.eventCount)")
    for (kind, count) in run.kinds {
      print("kind\t\(kind.tier)\t\(kind.isLive)\t\(kind.hasUnlikePlayers)\t\(count)")
    }
    print("done")
    exit(0)
  }

  // MARK: - Single worlds

  private static func judge(_ paths: ArraySlice<String>, seed: UInt64) -> Never {
    var code: Int32 = 0
    for path in paths {
      let bytes = ToolFiles.bytes(of: path) ?? []
      guard let world = DrawnWorld(path, bytes, seed: seed), let scenario = world.read().scenario
      else {
        print("refused: \(path)")
        exit(2)
      }
      alarm(120)
      for breach in WorldJudge.breaches(world, scenario) {
        print("\(breach.law.rawValue)\t\(breach.message)")
        code = 1
      }
    }
    exit(code)
  }

  private static func show(_ words: [String]) -> Never {
    guard let seed = UInt64(words[1]) else {
      ToolFiles.fail("'\(words[1])' is the number of no world")
    }
    let world = DrawnWorld.valid(seed).world
    if words.count > 2 {
      world.write(to: words[2], as: "world-\(seed).json")
    } else {
      print(world.draft.text, terminator: "")
    }
    exit(0)
  }
}

extension DrawnWorld {
  /// Reads a scenario with the files beside it that it names, and the playlist that one of those
  /// may name; nil if it is no JSON.
  init?(_ path: String, _ bytes: [UInt8], seed: UInt64) {
    guard let root = Findings(SourceText(path: path, bytes: bytes)).parseJSON() else { return nil }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\"").map(String.init)
    let files = Set(words + ["media.m3u8"]).sorted().compactMap { name in
      ToolFiles.bytes(of: folder.isEmpty ? name : "\(folder)/\(name)").map {
        (path: name, text: String(decoding: $0, as: UTF8.self))
      }
    }
    self.init(Draft(root), files: files, seed: seed)
  }

  /// Writes the scenario and the files that it names to a folder.
  func write(to folder: String, as name: String) {
    ToolFiles.makeFolder(folder)
    let text = draft.text
    ToolFiles.store(text, at: "\(folder)/\(name)")
    for file in files where text.contains("\"\(file.path)\"") || file.path == "media.m3u8" {
      ToolFiles.store(file.text, at: "\(folder)/\(file.path)")
    }
  }
}
