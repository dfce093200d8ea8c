// What a page calls. A text goes in through memory that the page asks for, and comes out through
// memory that stays until the next call.

#if arch(wasm32)

nonisolated(unsafe) private var files = EmbeddedFiles()
nonisolated(unsafe) private var input: [UInt8] = []
nonisolated(unsafe) private var output: [UInt8] = []
nonisolated(unsafe) private var missing: [String] = []
nonisolated(unsafe) private var experiment: EmbeddedExperiment?

/// Makes room for the bytes of the next file; returns where they go.
@_cdecl("autowait_input")
public func inputBuffer(_ count: Int32) -> UInt {
  input = [UInt8](repeating: 0, count: max(1, Int(count)))
  return unsafe input.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

/// Takes the bytes of the input: first the path of a file, then what is in it.
@_cdecl("autowait_put")
public func putFile(_ pathCount: Int32, _ count: Int32) {
  let path = String(decoding: input.prefix(Int(pathCount)), as: UTF8.self)
  files.put(Array(input[Int(pathCount)..<Int(pathCount) + Int(count)]), at: path)
}

/// Runs the scenario whose path is the input; returns the fingerprint, and 0 if it cannot be read.
///
/// The output is the log, or what speaks against it.
@_cdecl("autowait_run")
public func runScenario(_ pathCount: Int32) -> UInt64 {
  let run = EmbeddedRun(
    String(decoding: input.prefix(Int(pathCount)), as: UTF8.self), in: files)
  (output, missing) = (run.text, run.missing)
  return run.fingerprint ?? 0
}

/// Forgets all files.
@_cdecl("autowait_clear")
public func clearFiles() { files.removeAll() }

/// Makes the output what a page shows of the scenario whose path is the input, behind which the
/// name of one of its runs may stand.
@_cdecl("autowait_view")
public func viewScenario(_ pathCount: Int32, _ nameCount: Int32) {
  let path = String(decoding: input.prefix(Int(pathCount)), as: UTF8.self)
  let name = input.dropFirst(Int(pathCount)).prefix(Int(nameCount))
  let view = EmbeddedView(
    path, run: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), in: files)
  (output, missing) = (view.json, view.missing)
}

/// Begins the experiment whose path is the input; returns 1, and 0 if it cannot be read.
///
/// The output is what it came to so far, or what speaks against it.
@_cdecl("autowait_experiment")
public func beginExperiment(_ pathCount: Int32) -> Int32 {
  let read = EmbeddedExperiment.read(
    String(decoding: input.prefix(Int(pathCount)), as: UTF8.self), in: files)
  (experiment, output, missing) = (read.experiment, read.json, read.missing)
  return experiment == nil ? 0 : 1
}

/// Runs some more sessions of the experiment; returns 1 if there are more, and 0 if that was all.
///
/// The output is what it came to so far.
@_cdecl("autowait_advance")
public func advanceExperiment(_ count: Int32) -> Int32 {
  guard var current = experiment.take() else { return 0 }
  let hasMore = current.advance(Int(count))
  output = current.json
  experiment = current
  return hasMore ? 1 : 0
}

/// Makes the paths the output that the last run asked for and did not find, a line each; returns
/// how many they are.
@_cdecl("autowait_missing")
public func missingFiles() -> Int32 {
  output = missing.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  return Int32(missing.count)
}

/// Returns where the output lies.
@_cdecl("autowait_output")
public func outputBuffer() -> UInt {
  unsafe output.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

/// Returns how many bytes the output has.
@_cdecl("autowait_output_count")
public func outputCount() -> Int32 { Int32(output.count) }

#endif
