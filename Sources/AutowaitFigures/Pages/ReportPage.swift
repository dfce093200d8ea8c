/// The report of an experiment: the answer at the top, then what it rests on, then each chosen
/// session by itself.
public struct ReportPage: Sendable {
  /// A session that can be looked at in detail.
  public struct Session: Sendable {
    /// What it is called in the list: the rule, the link, the media, the seed.
    public var title: String
    /// What it came to, in a sentence.
    public var summary: String
    /// What happened in it.
    public var chart: SessionChart
    /// Its numbers, if they are to be shown.
    public var table: Table?

    /// Creates a session.
    public init(title: String, summary: String, chart: SessionChart, table: Table? = nil) {
      self.title = title
      self.summary = summary
      self.chart = chart
      self.table = table
    }
  }

  /// What was compared.
  public var title: String
  /// How much of it: rules, links, sessions, seeds.
  public var subtitle: String
  /// The answer, a sentence or two.
  public var answer: [String]
  /// The table of all rules.
  public var table: Table
  /// The pictures: scatter, distributions, heat map.
  public var figures: [Figure] = []
  /// Further tables, such as paired differences.
  public var tables: [Table] = []
  /// The sessions that can be looked at.
  public var sessions: [Session] = []
  /// How the numbers are to be read.
  public var notes: [String] = []
  /// From what the report was made.
  public var footer: String = ""

  /// Creates a report.
  public init(title: String, subtitle: String = "", answer: [String], table: Table) {
    self.title = title
    self.subtitle = subtitle
    self.answer = answer
    self.table = table
  }

  /// The report as an HTML file.
  public var html: [UInt8] {
    var page = Page(title: title, subtitle: subtitle)
    page.blocks.append(.answer(answer))
    page.blocks.append(.table(table))
    if !figures.isEmpty { page.blocks.append(.figures(figures)) }
    page.blocks += tables.map { .table($0) }
    if !sessions.isEmpty {
      page.blocks.append(.heading("Sessions"))
      page.blocks.append(
        .paragraph("Each opens to what happened in it, in lanes over one axis of time."))
      page.blocks += sessions.map { session in
        var parts: [Page.Block] = [.paragraph(session.summary), .figures([session.chart.figure])]
        if let table = session.table { parts.append(.table(table)) }
        return .details(session.title, isOpen: false, parts)
      }
    }
    if !notes.isEmpty {
      page.blocks.append(.heading("How to read this"))
      page.blocks.append(.notes(notes))
    }
    page.footer = footer
    return page.html
  }
}
