import Foundation

/// The files of the repository as they lie on disk.
struct Repository: Sendable {
  /// The paths from the package root, sorted.
  let paths: [String]
  /// The text files among them.
  let sources: [Source]

  /// The repository that this file belongs to.
  static let own = Repository(
    root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent())

  private static let textExtensions: Set<String> = ["swift", "md", "json", "log", "txt"]

  init(root: URL) {
    let manager = FileManager.default
    paths = (Self.pathsFromGit(root) ?? Self.pathsOnDisk(root))
      .filter { manager.fileExists(atPath: root.appending(path: $0).path) }
      .sorted()
    sources = paths.compactMap { path in
      let isText = Self.textExtensions.contains(URL(filePath: path).pathExtension)
      guard isText || path.hasPrefix(".ci/") else { return nil }
      guard let data = manager.contents(atPath: root.appending(path: path).path) else { return nil }
      return Source(path: path, bytes: Array(data))
    }
  }

  /// The files that git tracks or would offer to, or nil outside of a clone.
  private static func pathsFromGit(_ root: URL) -> [String]? {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git.currentDirectoryURL = root
    let output = Pipe()
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return nil }
    let listing = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    let paths = listing.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return git.terminationStatus == 0 && paths.contains("Package.swift") ? paths : nil
  }

  /// All files below the root but for folders whose name begins with a dot and is not `.ci`.
  private static func pathsOnDisk(_ root: URL) -> [String] {
    let walk = FileManager.default.enumerator(atPath: root.path)
    var paths: [String] = []
    while let path = walk?.nextObject() as? String {
      if path.hasPrefix("."), path != ".ci", !path.hasPrefix(".ci/") {
        walk?.skipDescendants()
      } else if walk?.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        paths.append(path)
      }
    }
    return paths
  }
}
