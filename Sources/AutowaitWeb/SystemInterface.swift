// The same module as a program of the WebAssembly System Interface. Files come on the standard
// input, each as a line with its path, a line with its size and its bytes; a line that says "run"
// in place of a size has the scenario run that lies at the path, with the files that came before.
// On the standard output the log of each run has the form of a file; the paths of files that are
// missing go to the standard error.
//
// A runtime translates a function when it is called first, which takes longer than most scenarios.

#if arch(wasm32)

// A stretch of memory is two numbers: where it begins, and how long it is.
@_extern(wasm, module: "wasi_snapshot_preview1", name: "fd_read")
@_extern(c)
private func read(
  _ descriptor: Int32, _ stretches: UnsafePointer<UInt32>, _ count: Int32,
  _ done: UnsafeMutablePointer<UInt32>
) -> Int32

@_extern(wasm, module: "wasi_snapshot_preview1", name: "fd_write")
@_extern(c)
private func write(
  _ descriptor: Int32, _ stretches: UnsafePointer<UInt32>, _ count: Int32,
  _ done: UnsafeMutablePointer<UInt32>
) -> Int32

@_extern(wasm, module: "wasi_snapshot_preview1", name: "proc_exit")
@_extern(c)
private func exit(_ code: Int32)

private func standardInput() -> [UInt8] {
  var all: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while true {
    var done: UInt32 = 0
    let error = unsafe piece.withUnsafeMutableBufferPointer { bytes in
      let stretch = [UInt32(UInt(bitPattern: bytes.baseAddress)), UInt32(bytes.count)]
      return unsafe read(0, stretch, 1, &done)
    }
    if error != 0 || done == 0 { return all }
    all += piece.prefix(Int(done))
  }
}

private func put(_ text: [UInt8], to descriptor: Int32) {
  var rest = text[...]
  while !rest.isEmpty {
    var done: UInt32 = 0
    let error = unsafe rest.withUnsafeBufferPointer { bytes in
      let stretch = [UInt32(UInt(bitPattern: bytes.baseAddress)), UInt32(bytes.count)]
      return unsafe write(descriptor, stretch, 1, &done)
    }
    if error != 0 { return exit(1) }
    rest = rest.dropFirst(Int(done))
  }
}

/// Runs scenarios, one after the other.
@_cdecl("_start")
public func start() {
  var rest = standardInput()[...]
  func line() -> String {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return String(decoding: rest[..<end], as: UTF8.self)
  }
  var files = EmbeddedFiles()
  while !rest.isEmpty {
    let (path, word) = (line(), line())
    if word == "run" {
      let run = EmbeddedRun(path, in: files)
      put(run.missing.flatMap { Array("\($0)\n".utf8) }, to: 2)
      put(Array("\(path)\n\(run.text.count)\n".utf8) + run.text, to: 1)
    } else {
      let size = Int(word) ?? 0
      files.put(Array(rest.prefix(size)), at: path)
      rest = rest.dropFirst(size)
    }
  }
  exit(0)
}

#endif
