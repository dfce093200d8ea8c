import Foundation

/// A README or an article, with the fenced blocks that stand in it.
struct MarkdownDocument: Sendable {
  /// A fenced block that begins in the first column.
  struct Block: Sendable {
    /// What stands behind the three marks: a language, and words that say how it is tested.
    var info: [String]
    /// The number of the line of the opening fence, from 1.
    var line: Int
    /// The lines between the fences.
    var lines: [String]
  }

  /// A part of a document: prose, line by line, or a block.
  private enum Part: Sendable {
    case prose(String)
    case block(Block)
  }

  /// The path from the root of the repository.
  let path: String
  private var parts: [Part] = []
  /// The line of a fence that nothing closes; nil if there is none.
  private(set) var openFence: Int?

  private static let fence = "```"

  /// Reads a document.
  init(path: String, text: String) {
    self.path = path
    var block: Block?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if var open = block {
        if line == Self.fence {
          parts.append(.block(open))
          block = nil
        } else {
          open.lines.append(line)
          block = open
        }
      } else if line.hasPrefix(Self.fence) {
        let info = line.dropFirst(Self.fence.count).split(separator: " ").map(String.init)
        block = Block(info: info, line: index + 1, lines: [])
      } else {
        parts.append(.prose(line))
      }
    }
    openFence = block?.line
  }

  /// The blocks, in order.
  var blocks: [Block] {
    parts.compactMap { if case .block(let block) = $0 { block } else { nil } }
  }

  /// The lines outside of the blocks.
  var prose: [String] {
    parts.compactMap { if case .prose(let line) = $0 { line } else { nil } }
  }

  /// The pictures that comments call for: a name, and the command that draws it.
  var pictures: [(name: String, call: String)] {
    prose.compactMap { line in
      let (mark, end) = ("<!-- picture ", " -->")
      guard line.hasPrefix(mark), line.hasSuffix(end) else { return nil }
      let parts = line.dropFirst(mark.count).dropLast(end.count).split(separator: ": ")
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  /// Replaces the lines of a block.
  mutating func replace(_ number: Int, _ lines: [String]) {
    var next = 0
    for index in parts.indices {
      guard case .block(var block) = parts[index] else { continue }
      if next == number {
        block.lines = lines
        parts[index] = .block(block)
        return
      }
      next += 1
    }
  }

  /// The text of the document.
  var text: String {
    parts.flatMap { part in
      switch part {
      case .prose(let line): [line]
      case .block(let block):
        [Self.fence + block.info.joined(separator: " ")] + block.lines + [Self.fence]
      }
    }.joined(separator: "\n")
  }

  /// The cells of the table rows that begin with a code span, by that code.
  var rows: [(key: String, cells: [String])] {
    prose.compactMap { line in
      guard line.hasPrefix("| `") else { return nil }
      let cells = line.split(separator: " | ").map { cell in
        cell.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
      }
      guard let first = cells.first, let key = first.split(separator: "`").first else { return nil }
      return (String(key), Array(cells.dropFirst()))
    }
  }

  /// The folder of the repository that this file belongs to.
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The README and the articles.
  static let all: [MarkdownDocument] = {
    let folder = "Sources/Autowait/Autowait.docc"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
    let articles = names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    return (["README.md"] + articles).map { MarkdownDocument(path: $0, text: read($0) ?? "") }
  }()

  /// Returns an article.
  static func article(_ name: String) -> MarkdownDocument {
    all.first { $0.path.hasSuffix("/\(name).md") } ?? MarkdownDocument(path: name, text: "")
  }

  /// Returns the text of a file of the repository.
  static func read(_ path: String) -> String? {
    try? String(contentsOf: url(path), encoding: .utf8)
  }

  /// Returns where a file of the repository lies.
  static func url(_ path: String) -> URL { repository.appending(path: path) }

  /// Every fourth of something in a debug build, which takes seconds for what an optimised one does
  /// at once, and all of it there.
  static func part<Each>(of all: [Each]) -> [Each] {
    #if DEBUG
    stride(from: 0, to: all.count, by: 4).map { all[$0] }
    #else
    all
    #endif
  }
}
