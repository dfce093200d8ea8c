/// Finds the valid word that a wrong one was meant to be.
package enum NearestWord {
  /// Words longer than this are not compared: nobody mistypes them, and the cost is quadratic.
  package static let lengthMax = 64

  /// Returns the candidate nearest to a word, or nil when none is near; the first one of equals.
  ///
  /// The distance counts inserted, deleted, replaced and swapped letters. A third of the word's
  /// letters may be wrong, at least one; a difference in case alone is always near.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.unicodeScalars.prefix(lengthMax + 1))
    guard !letters.isEmpty, letters.count <= lengthMax else { return nil }
    var best: (word: String, cost: Int)?
    for candidate in candidates {
      let other = Array(candidate.unicodeScalars.prefix(lengthMax + 1))
      guard other.count <= lengthMax, !differInNumberAlone(letters, other) else { continue }
      let cost = distance(letters, other)
      if cost < (best?.cost ?? costLimit(letters.count, other.count) + 1),
        cost <= costLimit(letters.count, other.count)
      {
        best = (candidate, cost)
      }
    }
    return best?.word
  }

  /// Whether two short words are the same but for their digits: 'h4' is no misspelled 'h1', and
  /// nobody who writes 'bbr2' means 'bbr'.
  private static func differInNumberAlone(
    _ word: [Unicode.Scalar], _ other: [Unicode.Scalar]
  ) -> Bool {
    func isDigit(_ letter: Unicode.Scalar) -> Bool { "0" <= letter && letter <= "9" }
    return max(word.count, other.count) <= 4 && word.filter(isDigit) != other.filter(isDigit)
      && word.filter { !isDigit($0) } == other.filter { !isDigit($0) }
  }

  /// Returns a note that proposes the candidate nearest to a word; none when none is near.
  package static func hint(for word: String, among candidates: [String]) -> [String] {
    nearest(to: word, among: candidates).map { ["did you mean '\($0)'?"] } ?? []
  }

  /// Returns a note that proposes the candidate nearest to a word, or says something else when none
  /// is near.
  package static func hint(
    for word: String, among candidates: [String], orElse other: String
  ) -> [String] {
    let hint = hint(for: word, among: candidates)
    return hint.isEmpty ? [other] : hint
  }

  /// The most words that a message lists: more are not read, and hide what was meant.
  package static let listedMax = 5

  /// Returns the notes about a word that is none of some: the one that was meant or, where none is
  /// near, all of them behind the words of a list, or the nearest and the call that shows all.
  ///
  /// Without a word there is nothing to be near to, and the first ones are listed.
  package static func notes(
    for word: String?, among candidates: [String], list: String, shownBy call: String? = nil
  ) -> [String] {
    if let meant = word.flatMap({ meant(by: $0, among: candidates) }) {
      return ["did you mean '\(meant)'?"]
    }
    if candidates.count <= listedMax {
      return candidates.isEmpty ? [] : [list + quotedList(candidates)]
    }
    let listed = word.map { ranked(candidates, by: $0) } ?? candidates
    let start = word == nil ? "the first" : "the nearest"
    return [
      "\(start) of \(candidates.count) are: "
        + quotedList(Array(listed.prefix(listedMax))) + (call.map { "; '\($0)' shows all" } ?? "")
    ]
  }

  /// Returns the candidate that a word was meant to be: the nearest one, or else the only one that
  /// has the word in it, as `playbackStalled` has `stall`.
  package static func meant(by word: String, among candidates: [String]) -> String? {
    if let nearest = nearest(to: word, among: candidates) { return nearest }
    guard word.unicodeScalars.count >= 4, word.utf8.count <= lengthMax else { return nil }
    let part = word.lowercased()
    let whole = candidates.filter { $0.lowercased().holds(part) }
    return whole.count == 1 ? whole[0] : nil
  }

  /// Returns words ordered by how near they are to another one: those that share the longest piece
  /// with it first, and then those that differ in the fewest letters.
  private static func ranked(_ words: [String], by word: String) -> [String] {
    let letters = Array(word.lowercased().unicodeScalars.prefix(lengthMax))
    var ranks: [(shared: Int, cost: Int, index: Int)] = []
    for index in words.indices {
      let other = Array(words[index].lowercased().unicodeScalars.prefix(lengthMax))
      let shared = longestSharedPiece(letters, other)
      ranks.append((shared < 3 ? 0 : shared, distance(letters, other), index))
    }
    return ranks.sorted { ($1.shared, $0.cost, $0.index) < ($0.shared, $1.cost, $1.index) }
      .map { words[$0.index] }
  }

  /// The number of letters of the longest piece that two words share.
  private static func longestSharedPiece(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar]
  ) -> Int {
    var longest = 0
    var last = [Int](repeating: 0, count: right.count + 1)
    for letter in left {
      var current = [0]
      for column in right.indices {
        current.append(right[column] == letter ? last[column] + 1 : 0)
        longest = max(longest, current[column + 1])
      }
      last = current
    }
    return longest
  }

  /// Returns words in quotation marks with commas between.
  package static func quotedList(_ words: [String]) -> String {
    words.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// The cost of one wrong letter; a letter in the wrong case costs one.
  private static let letterCost = 16

  private static func costLimit(_ first: Int, _ second: Int) -> Int {
    let letters = max(first, second)
    // A single letter has nothing to be recognized by but its case.
    let wrong = max(1, letters / 3)
    return letters == 1 ? letterCost - 1 : wrong * letterCost + letterCost - 1
  }

  /// Returns the optimal string alignment distance, a Damerau-Levenshtein distance in which no
  /// letter moves twice.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = (0...right.count).map { $0 * letterCost }
    for row in left.indices {
      var current = [(row + 1) * letterCost]
      for column in right.indices {
        var cost = min(
          last[column] + replacement(left[row], right[column]),
          min(last[column + 1], current[column]) + letterCost)
        if row > 0, column > 0, isSame(left[row], right[column - 1]),
          isSame(left[row - 1], right[column])
        {
          cost = min(cost, beforeLast[column - 1] + letterCost)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func replacement(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Int {
    if left == right { return 0 }
    return isSame(left, right) ? 1 : letterCost
  }

  private static func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    left == right || left.properties.lowercaseMapping == right.properties.lowercaseMapping
  }
}
