/// The report of an experiment: the answer at the top, then what it rests on, then each chosen
/// session by itself.
package struct ReportPage: Sendable {
  /// A session that can be looked at in detail.
  package struct Session: Sendable {
    /// What it is called in the list: the rule, the link, the media, the seed.
    package var title: String
    /// What it came to, in a sentence.
    package var summary: String
    /// What happened in it.
    package var chart: SessionChart
    /// Its numbers, if they are to be shown.
    package var table: Table?

    /// Creates a session.
    package init(title: String, summary: String, chart: SessionChart, table: Table? = nil) {
      self.title = title
      self.summary = summary
      self.chart = chart
      self.table = table
    }
  }

  /// What was compared.
  package var title: String
  /// How much of it: rules, links, sessions, seeds.
  package var subtitle: String
  /// The answer, a sentence or two.
  package var answer: [String]
  /// The table of all rules.
  package var table: Table
  /// The rules for the reader to order; nil if there is nothing to choose from.
  package var choices: ChoiceTable?
  /// The pictures: scatter, distributions, heat map.
  package var figures: [Figure] = []
  /// Further tables, such as paired differences.
  package var tables: [Table] = []
  /// The sessions that can be looked at.
  package var sessions: [Session] = []
  /// How the numbers are to be read.
  package var notes: [String] = []
  /// From what the report was made.
  package var footer: String = ""

  /// Creates a report.
  package init(title: String, subtitle: String = "", answer: [String], table: Table) {
    self.title = title
    self.subtitle = subtitle
    self.answer = answer
    self.table = table
  }

  /// The report as an HTML file.
  package var html: [UInt8] {
    var page = Page(title: title, subtitle: subtitle)
    page.blocks.append(.answer(answer))
    page.blocks.append(.table(table))
    if let choices { page.blocks.append(.choices(choices)) }
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
