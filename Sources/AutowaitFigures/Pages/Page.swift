/// A page of HTML that needs nothing beside itself: no network, and no other file.
///
/// It says and draws all there is to be said without a script; with one it can be explored.
package struct Page: Sendable {
  /// A part of a page.
  package indirect enum Block: Sendable {
    /// What the reader came for, in a sentence or two.
    case answer([String])
    /// Whether a run came as it should, and what it came to.
    case verdict(Verdict)
    /// A heading of a part.
    case heading(String)
    /// A paragraph.
    case paragraph(String)
    /// A list of remarks.
    case notes([String])
    /// A table.
    case table(Table)
    /// A table that the reader orders for viewers of their own.
    case choices(ChoiceTable)
    /// Pictures, beside each other if there is room.
    case figures([Figure])
    /// What was expected, and whether it came so.
    case checks([Check])
    /// Parts that are seen when the reader opens them; the first page of many details.
    case details(String, isOpen: Bool, [Block])
    /// Pictures over one axis of time with a cursor on it, which tells what was read then.
    case run([Block], RunData)
  }

  /// Something that was expected.
  package struct Check: Hashable, Sendable {
    /// Whether it came so.
    package var isMet: Bool
    /// What was expected.
    package var text: String
    /// What was observed instead.
    package var differences: [String]
    /// Whether it fails nothing if it did not come so.
    package var isWarning = false

    /// Creates a check.
    package init(isMet: Bool, _ text: String, differences: [String] = []) {
      self.isMet = isMet
      self.text = text
      self.differences = differences
    }
  }

  /// Whether something came as it should: seen at first glance.
  package struct Verdict: Sendable {
    /// What the verdict is.
    package enum Kind: Sendable {
      /// Nothing was expected.
      case none
      /// All is as expected.
      case met
      /// Something is worth a look, though nothing failed.
      case doubtful
      /// Something failed.
      case failed
    }

    /// What the verdict is.
    package var kind: Kind
    /// The verdict in a sentence.
    package var text: String
    /// What was expected and did not come so.
    package var missed: [Check]
    /// What else there is to be said.
    package var sentences: [String]

    /// Creates a verdict.
    package init(_ kind: Kind, _ text: String, missed: [Check] = [], sentences: [String] = []) {
      self.kind = kind
      self.text = text
      self.missed = missed
      self.sentences = sentences
    }
  }

  /// The title.
  package var title: String
  /// What a list of windows or files shows before the title, such as that a run failed.
  package var status: String = ""
  /// What stands below the title.
  package var subtitle: String
  /// The parts, from top to bottom.
  package var blocks: [Block] = []
  /// What stands at the end: from what the page was made.
  package var footer: String = ""

  /// Creates an empty page.
  package init(title: String, subtitle: String = "") {
    self.title = title
    self.subtitle = subtitle
  }

  /// The colours of all pages, light and dark, as properties of a style sheet such as `--ink`.
  package static var colors: String { StyleSheet.properties }

  /// The page as an HTML file.
  package var html: [UInt8] {
    var writer = PageWriter()
    writer.write(self)
    return writer.markup.bytes
  }
}

/// A table of a page.
package struct Table: Sendable {
  /// A column.
  package struct Column: Hashable, Sendable {
    /// The title.
    package var title: String
    /// What the column holds, in a sentence; nothing if the title says enough.
    package var about: String
    /// Whether it holds numbers, which end at its right edge.
    package var isNumber: Bool

    /// Creates a column.
    package init(_ title: String, isNumber: Bool = false, about: String = "") {
      self.title = title
      self.isNumber = isNumber
      self.about = about
    }
  }

  /// A cell.
  package struct Cell: Hashable, Sendable {
    /// What stands in it.
    package var text: String
    /// The number by which rows are ordered; nil if there is none.
    package var order: Int64?
    /// Whether it is the best of its column.
    package var isBest: Bool
    /// Whether it tells of something bad.
    package var isAlarm = false

    /// Creates a cell.
    package init(_ text: String, order: Int64? = nil, isBest: Bool = false) {
      self.text = text
      self.order = order
      self.isBest = isBest
    }
  }

  /// A row.
  package struct TableRow: Hashable, Sendable {
    /// The cells, one for each column; the first one names the row.
    package var cells: [Cell]
    /// Whether others are held against it, and so it stands out.
    package var isReference: Bool

    /// Creates a row.
    package init(_ cells: [Cell], isReference: Bool = false) {
      self.cells = cells
      self.isReference = isReference
    }
  }

  /// What the table shows.
  package var caption: String
  /// The columns.
  package var columns: [Column]
  /// The rows, from top to bottom.
  package var rows: [TableRow]

  /// Creates a table.
  package init(caption: String = "", columns: [Column], rows: [TableRow] = []) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
  }
}
