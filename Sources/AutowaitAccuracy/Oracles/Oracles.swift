import AutowaitScenario

/// The folder with what reality and other simulators say, and how its files are read.
package struct Oracles {
  /// Why a file could not be used.
  package struct OracleProblem: Error, CustomStringConvertible {
    /// The file and the reason.
    package let description: String

    package init(_ path: String, _ reason: String) {
      description = "\(path): \(reason)"
    }
  }

  private let load: (String) throws(OracleProblem) -> [UInt8]

  /// Creates a folder from what reads a file of it, named by its path from the folder.
  package init(load: @escaping (String) throws(OracleProblem) -> [UInt8]) {
    self.load = load
  }

  /// Returns a file as text.
  package func text(_ path: String) throws(OracleProblem) -> SourceText {
    SourceText(path: path, bytes: try load(path))
  }

  /// Returns a file that is JSON.
  package func json(_ path: String) throws(OracleProblem) -> JSONValue {
    try Oracles.json(try text(path))
  }

  /// Returns what a text that is JSON says.
  package static func json(_ source: SourceText) throws(OracleProblem) -> JSONValue {
    do throws(JSONError) {
      return try JSONDocument(source).root
    } catch {
      throw OracleProblem(source.path, "is not JSON: \(error)")
    }
  }
}

extension JSONValue {
  /// Returns the member that must be there.
  package subscript(_ key: String) -> JSONValue {
    get throws(Oracles.OracleProblem) {
      guard let value = member(key) else { throw problem("has no '\(key)'") }
      return value
    }
  }

  /// The number as a Double: for comparing and reporting, never for simulating.
  package var number: Double {
    get throws(Oracles.OracleProblem) {
      guard let decimal, let number = Double(decimal.text) else { throw problem("is not a number") }
      return number
    }
  }

  /// The text that must be there.
  package var word: String {
    get throws(Oracles.OracleProblem) {
      guard let string else { throw problem("is not a string") }
      return string
    }
  }

  /// The whole numbers of an array.
  package var wholeNumbers: [Int] {
    get throws(Oracles.OracleProblem) {
      var numbers: [Int] = []
      for element in elements { numbers.append(Int(try element.whole())) }
      return numbers
    }
  }

  /// Returns the number times a factor; what is no whole number then is an error.
  package func whole(
    times factor: Int64 = 1, allowingNegative: Bool = false
  ) throws(Oracles.OracleProblem) -> Int64 {
    let scaled = decimal?.integer(scaledBy: factor, allowingNegative: allowingNegative)
    guard case .exact(let value) = scaled else {
      throw problem("is not a whole number times 1/\(factor)")
    }
    return value
  }

  private func problem(_ reason: String) -> Oracles.OracleProblem {
    Oracles.OracleProblem("\(source.path):\(source.position(of: range.lowerBound))", reason)
  }
}
