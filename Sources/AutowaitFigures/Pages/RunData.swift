/// What the players of a run say at many instants, in the form in which the script of a page reads
/// it: only what changes, as JSON that is safe within a page.
package struct RunData: Sendable {
  /// What a property was at each of the instants.
  package enum Readings: Sendable {
    /// Words, such as a status.
    case texts([String])
    /// Nanoseconds, which often move on with the time; nil where there are none.
    case times([Int64?])
    /// Ranges of nanoseconds.
    case ranges([[Range<Int64>]])
  }

  /// A property of a player.
  package struct PropertyRow: Sendable {
    /// The property's name.
    package var name: String
    /// What it was.
    package var readings: Readings

    /// Creates a property.
    package init(_ name: String, _ readings: Readings) {
      self.name = name
      self.readings = readings
    }
  }

  /// A player with its properties.
  package struct DataPlayer: Sendable {
    /// The player's name; nothing if there is but one.
    package var name: String
    /// The properties, in the order in which they are shown.
    package var rows: [PropertyRow]

    /// Creates a player.
    package init(name: String, rows: [PropertyRow]) {
      self.name = name
      self.rows = rows
    }
  }

  /// The instants, ascending.
  package var instants: [Int64]
  /// The players; one whose run ended before has as many readings as there were until then.
  package var players: [DataPlayer]

  /// Creates the data of a run.
  package init(instants: [Int64], players: [DataPlayer]) {
    self.instants = instants
    self.players = players
  }

  /// The data as JSON.
  ///
  /// Instants are written as differences. Words have a list of their own, and a change is how many
  /// instants after the last one which word came. A number is a list of triples: how many instants
  /// after the last one it jumped or bent, how it goes on (0: it stays, 1: it moves with the time,
  /// 2: there is none), and by how much it differs from the last one named.
  var json: [UInt8] {
    var text = "{\"instants\":"
    var last: Int64 = 0
    Self.append(
      instants.map { instant in
        defer { last = instant }
        return instant - last
      }, to: &text)
    text += ",\"players\":["
    for (number, player) in players.enumerated() {
      if number > 0 { text += "," }
      text += "\n{\"name\":\(Self.quoted(player.name)),\"rows\":["
      for (number, row) in player.rows.enumerated() {
        if number > 0 { text += "," }
        text += "\n{\"name\":\(Self.quoted(row.name)),"
        append(row.readings, to: &text)
        text += "}"
      }
      text += "]}"
    }
    return Array((text + "]}").utf8)
  }

  private func append(_ readings: Readings, to text: inout String) {
    switch readings {
    case .texts(let texts):
      var (words, changes): ([String], [Int64]) = ([], [])
      var (last, place) = (-1, 0)
      for (number, word) in texts.enumerated() {
        let index = words.firstIndex(of: word) ?? words.count
        if index == words.count { words.append(word) }
        if index == last { continue }
        changes += [Int64(number - place), Int64(index)]
        (last, place) = (index, number)
      }
      text += "\"words\":[\(words.map { Self.quoted($0) }.joined(separator: ","))],\"changes\":"
      Self.append(changes, to: &text)
    case .times(let times):
      text += "\"time\":"
      Self.append(pieces(times), to: &text)
    case .ranges(let ranges):
      text += "\"ranges\":["
      for slot in 0..<(ranges.map { $0.count }.max() ?? 0) {
        if slot > 0 { text += "," }
        let own = ranges.map { slot < $0.count ? $0[slot] : nil }
        Self.append(pieces(own.map { $0?.lowerBound }), to: &text)
        text += ","
        Self.append(pieces(own.map { $0?.upperBound }), to: &text)
      }
      text += "]"
    }
  }

  /// Returns the pieces of a number: where it goes on in another way than it was to.
  private func pieces(_ values: [Int64?]) -> [Int64] {
    var (pieces, named, place): ([Int64], Int64, Int) = ([], 0, 0)
    /// How it goes on from the last piece; nil before the first one.
    var mode: Int64?
    for (number, value) in values.enumerated() {
      let before = number > 0 ? values[number - 1] : nil
      let passed = number > 0 ? instants[number] - instants[number - 1] : 0
      switch (mode, before, value) {
      case (2, nil, nil): continue
      case (0, let before?, let value?) where value == before: continue
      case (1, let before?, let value?) where value == before + passed: continue
      default: break
      }
      let new = value == nil ? 2 : Self.mode(values, number, instants)
      pieces += [Int64(number - place), new, (value ?? named) - named]
      (mode, place, named) = (new, number, value ?? named)
    }
    return pieces
  }

  /// Returns how a number goes on after one of the instants.
  private static func mode(_ values: [Int64?], _ number: Int, _ instants: [Int64]) -> Int64 {
    guard number + 1 < values.count, let value = values[number], let next = values[number + 1]
    else { return 0 }
    return next - value == instants[number + 1] - instants[number] ? 1 : 0
  }

  private static func append(_ numbers: [Int64], to text: inout String) {
    text += "["
    for (index, number) in numbers.enumerated() { text += index > 0 ? ",\(number)" : "\(number)" }
    text += "]"
  }

  /// Returns a text as JSON without the characters that mean something to markup.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    var last: Unicode.Scalar?
    for scalar in MarkupText.plain(text).unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "'": quoted += escape(scalar)
      // CI servers look for commands that begin with ## in all that is printed.
      case "#" where last == "#": quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
