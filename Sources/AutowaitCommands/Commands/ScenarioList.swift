import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The scenarios and experiments below a folder, chosen by what they show.
struct ScenarioList {
  /// The folder that is searched unless the user names one.
  static let folder = "Scenarios"

  /// How many files there are in all.
  private let count: Int
  /// The files that have all the words, ordered by path.
  private let found: [FileSummary]

  /// Finds the files below a folder that have all of some words; throws where there are none.
  init(below root: String?, words: [String], _ console: Console) throws(Command.UsageError) {
    let folder = root ?? Self.folder
    if Files.kind(of: folder) != .folder {
      throw Command.UsageError(
        message: "there is no folder '\(folder)' here",
        notes: [
          "go to where the scenarios are, or name their folder: --root DIR",
          "'autowait init' writes a scenario to begin with",
        ])
    }
    let paths: [String]
    do throws(Files.SystemProblem) {
      paths = try Files.list(Path.tidied(folder), GoldenPath.mayBeScenario)
    } catch {
      throw Command.UsageError(message: "the folder '\(folder)' \(error.reason)")
    }
    let files = ScenarioFiles()
    let all = paths.compactMap { path -> FileSummary? in
      switch files.source(path) {
      case .failure: nil
      case .success(let source): FileSummary(source, loader: files.loader { _ in })
      }
    }
    count = all.count
    found = all.filter { file in words.allSatisfy { file.answers($0) } }
    if !found.isEmpty { return }
    refuse(words, all, folder, console)
  }

  /// What the command ends with.
  var code: ExitCode { found.isEmpty ? .nothing : .fine }

  /// Writes the files that were found as the elements of an array.
  func write(into writer: inout JSONWriter) {
    for file in found {
      writer.object { writer in
        writer.field("path", text: file.path)
        writer.field("kind", text: file.form.rawValue)
        writer.field("name", text: file.name)
        writer.field("about", text: file.about)
        writer.strings("tags", file.tags)
        writer.strings("runs", file.runs)
      }
    }
  }

  /// Returns the files that were found as lines: the path with the name, and what it shows below.
  func text(width: Int) -> String {
    if found.isEmpty { return "" }
    var page = TextPage(TextStyle(width: width, usesColor: false))
    for file in found {
      let isShort = file.path.count + file.name.count + 2 <= width
      page.paragraph([PaintedText("\(file.path)  ")], file.name, indent: isShort ? nil : 4)
      if !file.about.isEmpty { page.paragraph([PaintedText("    ")], file.firstSentence) }
      if !file.tags.isEmpty {
        page.paragraph([PaintedText("    ")], "tags: " + file.tags.joined(separator: ", "))
      }
      if !file.runs.isEmpty { page.paragraph([PaintedText("    ")], Self.runs(file.runs)) }
    }
    page.separate()
    let files = Plural.text(count, "file")
    page.line(found.count == count ? files : "found \(found.count) of \(files)")
    return page.text
  }

  /// The most runs of a scenario that are named.
  private static let runsMax = 8

  /// Returns how many runs a scenario has, and the names of the first.
  private static func runs(_ names: [String]) -> String {
    let more = names.count > runsMax ? " and \(names.count - runsMax) more" : ""
    return "\(Plural.text(names.count, "run")): "
      + names.prefix(runsMax).joined(separator: ", ") + more
  }

  private func refuse(
    _ words: [String], _ all: [FileSummary], _ folder: String, _ console: Console
  ) {
    if all.isEmpty {
      console.refuse(
        "there is no scenario in '\(folder)'",
        notes: ["a scenario is a .json file with the key \"autowait\""])
      return
    }
    let known = all.flatMap(\.words)
    let strangers = words.filter { word in !all.contains { $0.answers(word) } }
    let message =
      strangers.isEmpty
      ? "no scenario in '\(folder)' has all of \(NearestWord.quotedList(words))"
      : "no scenario in '\(folder)' has \(NearestWord.quotedList(strangers))"
    console.refuse(
      message,
      notes: strangers.flatMap { NearestWord.hint(for: $0.lowercased(), among: known) }
        + ["'autowait list scenarios' lists all \(all.count)"])
  }
}
