import AutowaitFiles
import AutowaitScenario

/// The module of WebAssembly that a page embeds.
enum PageModule {
  /// What the module is called, packed by LZMA or, which is larger, by gzip.
  static let names = ["autowait.wasm.lzma", "autowait.wasm.gz"]
  /// Where `.ci/web` writes it, as seen from the folder of the project.
  static let folder = ".build/web"
  /// The largest one that is read: a page with it is still opened by a telephone.
  private static let bytesMax = 16 << 20

  /// Returns the places where the module is looked for, if none is named.
  static func places(toolFolder: String?) -> [String] {
    ([folder] + (toolFolder.map { [$0] } ?? [])).flatMap { folder in
      names.map { Path.join(folder, $0) }
    }
  }

  /// Reads the module that is named, or else the first that there is.
  static func read(_ named: String?, toolFolder: String?) -> Result<[UInt8], Finding> {
    let places = named.map { [$0] } ?? places(toolFolder: toolFolder)
    let place = places.first { Files.kind(of: $0) != nil } ?? places[0]
    do throws(Files.SystemProblem) {
      let bytes = try Files.read(place, bytesMax: bytesMax)
      if isModule(bytes) { return .success(bytes) }
      return .failure(
        Finding(.error, "this is not a WebAssembly module", path: place, notes: notes))
    } catch {
      let message = "the page's module \(error.reason)"
      return .failure(Finding(.error, message, path: place, notes: notes))
    }
  }

  /// Whether bytes begin as a module does: as it is, or packed.
  private static func isModule(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: Array("\0asm".utf8)) { return true }
    // LZMA begins with its properties and a window; a size of all ones stands for an end that is
    // marked.
    return bytes.count > 13 && bytes[0] < 225 && bytes[5..<13].allSatisfy { $0 == 0xFF }
  }

  private static let notes = [
    "'.ci/web' in the folder of the project makes it, with a toolchain that has wasm-ld",
    "'--module FILE' names one that lies elsewhere",
  ]
}
