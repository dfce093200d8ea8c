/// Writes pages as HTML whose elements are all closed, so that it is XML as well.
struct PageWriter: Sendable {
  private(set) var markup = Markup()
  /// Whether there is a run on the page that a reader can move through.
  private var hasRun = false

  mutating func write(_ page: Page) {
    markup.verbatim("<!DOCTYPE html>\n")
    markup.begin("html", ["lang": "en"])
    markup.breakLine()
    writeHead(page)
    markup.begin("body")
    markup.begin("main")
    markup.breakLine()
    markup.begin("header")
    markup.leaf("h1", page.title)
    if !page.subtitle.isEmpty { markup.leaf("p", ["class": "p-subtitle"], page.subtitle) }
    markup.end()
    markup.breakLine()
    for block in page.blocks { write(block) }
    if !page.footer.isEmpty { markup.leaf("footer", page.footer) }
    markup.end()
    markup.breakLine()
    // Orders tables by the column that is clicked; the page says all without it.
    markup.begin("script")
    markup.verbatim(Self.script)
    if hasRun {
      for part in RunScript.parts { markup.verbatim(part) }
    }
    markup.end()
    markup.end()
    markup.end()
    markup.breakLine()
  }

  private mutating func writeHead(_ page: Page) {
    markup.begin("head")
    markup.empty("meta", ["charset": "utf-8"])
    markup.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    // Whatever might slip into the page, the reader's program fetches nothing for it.
    markup.empty(
      "meta",
      [
        "http-equiv": "Content-Security-Policy",
        "content": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
      ])
    markup.leaf("title", page.status.isEmpty ? page.title : "\(page.status): \(page.title)")
    markup.breakLine()
    markup.style(.figure)
    markup.style(.page)
    markup.end()
    markup.breakLine()
  }

  private mutating func write(_ block: Page.Block) {
    switch block {
    case .answer(let sentences):
      markup.begin("section", ["class": "p-answer"])
      for sentence in sentences { markup.leaf("p", sentence) }
      markup.end()
    case .verdict(let verdict): write(verdict)
    case .heading(let text): markup.leaf("h2", text)
    case .paragraph(let text): markup.leaf("p", text)
    case .notes(let notes):
      markup.begin("ul")
      for note in notes { markup.leaf("li", note) }
      markup.end()
    case .table(let table): write(table)
    case .choices(let choices): choices.write(into: &markup)
    case .figures(let figures):
      markup.begin("div", ["class": "p-figures"])
      for figure in figures {
        let isWide = figure.width > 760
        markup.begin("div", ["class": isWide ? "p-figure p-wide" : "p-figure", "tabindex": "0"])
        figure.write(into: &markup)
        markup.end()
      }
      markup.end()
    case .checks(let checks): write(checks, id: "expectations")
    case .details(let title, let isOpen, let blocks):
      markup.begin("details", ["open": isOpen ? "open" : ""])
      markup.leaf("summary", title)
      for block in blocks { write(block) }
      markup.end()
    case .run(let blocks, let data):
      hasRun = true
      markup.begin("section", ["class": "p-run", "aria-label": "The run over time"])
      markup.breakLine()
      for block in blocks { write(block) }
      markup.begin("script", ["type": "application/json", "class": "p-data"])
      markup.data(data.json)
      markup.end()
      markup.end()
    }
    markup.breakLine()
  }

  /// The most missed expectations that a verdict names.
  private static let missedMax = 6

  private mutating func write(_ verdict: Page.Verdict) {
    let (style, sign) =
      switch verdict.kind {
      case .none: ("", "")
      case .met: (" p-good", "✓ ")
      case .doubtful: (" p-doubtful", "")
      case .failed: (" p-bad", "✗ ")
      }
    markup.begin("section", ["class": "p-answer" + style])
    // A failure comes first, and else what the reader came for.
    if verdict.kind == .failed { markup.leaf("p", ["class": "p-verdict"], sign + verdict.text) }
    if !verdict.missed.isEmpty {
      write(Array(verdict.missed.prefix(Self.missedMax)))
      markup.begin("p")
      let rest = verdict.missed.count - Self.missedMax
      markup.leaf(
        "a", ["href": "#expectations"],
        rest > 0 ? "\(rest) more, and all expectations" : "All expectations")
      markup.end()
    }
    for sentence in verdict.sentences { markup.leaf("p", ["class": "p-sentence"], sentence) }
    if verdict.kind != .failed { markup.leaf("p", sign + verdict.text) }
    markup.end()
  }

  private mutating func write(_ table: Table) {
    markup.begin("div", ["class": "p-scroll", "tabindex": "0"])
    let isOrdered =
      table.rows.count > 1 && table.rows.contains { $0.cells.contains { $0.order != nil } }
    markup.begin("table", ["class": isOrdered ? "p-ordered" : ""])
    if !table.caption.isEmpty { markup.leaf("caption", table.caption) }
    if table.columns.contains(where: { !$0.title.isEmpty }) {
      markup.begin("thead")
      markup.begin("tr")
      for column in table.columns {
        markup.leaf(
          "th",
          ["scope": "col", "class": column.isNumber ? "p-number" : "", "title": column.about],
          column.title)
      }
      markup.end()
      markup.end()
    }
    markup.begin("tbody")
    for row in table.rows { write(row, table.columns) }
    markup.end()
    markup.end()
    markup.end()
    writeHelp(table.columns.filter { !$0.about.isEmpty })
  }

  /// Says below a table what its columns hold, for those who cannot point at their titles.
  private mutating func writeHelp(_ columns: [Table.Column]) {
    if columns.isEmpty { return }
    markup.begin("details", ["class": "p-help"])
    markup.leaf("summary", "What the columns say")
    markup.begin("dl")
    for column in columns {
      markup.leaf("dt", column.title)
      markup.leaf("dd", column.about)
    }
    markup.end()
    markup.end()
  }

  private mutating func write(_ row: Table.TableRow, _ columns: [Table.Column]) {
    markup.begin("tr", ["class": row.isReference ? "p-reference" : ""])
    for (number, column) in columns.enumerated() {
      let cell = number < row.cells.count ? row.cells[number] : Table.Cell("")
      var classes = column.isNumber ? ["p-number"] : []
      if cell.isBest { classes.append("p-best") }
      if cell.isAlarm { classes.append("p-alarm") }
      let attributes: KeyValuePairs<String, String> = [
        "scope": number == 0 ? "row" : "", "class": classes.joined(separator: " "),
        "data-order": cell.order.map { "\($0)" } ?? "",
      ]
      markup.leaf(number == 0 ? "th" : "td", attributes, cell.text)
    }
    markup.end()
    markup.breakLine()
  }

  private mutating func write(_ checks: [Page.Check], id: String = "") {
    markup.begin("ul", ["class": "p-checks", "id": id])
    for check in checks {
      let met = check.isWarning ? "p-met p-warns" : "p-met"
      let missed = check.isWarning ? "p-warned" : "p-missed"
      markup.begin("li", ["class": check.isMet ? met : missed])
      markup.leaf("span", ["class": "p-sign"], check.isMet ? "✓" : check.isWarning ? "!" : "✗")
      markup.text(" ")
      markup.leaf("code", check.text)
      for difference in check.differences { markup.leaf("p", difference) }
      markup.end()
    }
    markup.end()
  }

  /// Makes each head of a table a button that orders its rows; of what is not there, last.
  private static let script: StaticString = """

    document.querySelectorAll("table.p-ordered").forEach(function (table) {
      table.querySelectorAll("thead th").forEach(function (head, column) {
        var button = document.createElement("button");
        button.type = "button";
        button.textContent = head.textContent;
        if (!head.textContent) { return; }
        if (head.title) { button.setAttribute("aria-description", head.title); }
        head.textContent = "";
        head.appendChild(button);
        button.addEventListener("click", function () {
          var rises = head.getAttribute("aria-sort") !== "ascending";
          table.querySelectorAll("thead th").forEach(function (other) {
            other.removeAttribute("aria-sort");
          });
          head.setAttribute("aria-sort", rises ? "ascending" : "descending");
          var body = table.tBodies[0];
          var isNumber = head.classList.contains("p-number");
          function key(row) {
            var cell = row.cells[column];
            if (cell.dataset.order !== undefined) { return Number(cell.dataset.order); }
            return isNumber ? null : cell.textContent;
          }
          Array.from(body.rows).sort(function (first, second) {
            var a = key(first), b = key(second);
            if (a === b) { return 0; }
            if (a === null) { return 1; }
            if (b === null) { return -1; }
            return (a > b ? 1 : -1) * (rises ? 1 : -1);
          }).forEach(function (row) { body.appendChild(row); });
        });
      });
    });

    """
}

extension StyleSheet {
  /// What pages need beside their figures.
  static let page = StyleSheet(
    text: """

      body{margin:0;background:var(--paper);color:var(--ink);
      font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
      main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}
      h1{font-size:26px;line-height:1.25;margin:8px 0 4px;overflow-wrap:anywhere}
      h2{font-size:18px;margin:36px 0 8px}
      p{margin:8px 0;overflow-wrap:anywhere}
      li{overflow-wrap:anywhere}
      .p-subtitle{color:var(--muted);margin:0 0 16px;white-space:pre-line}
      .p-answer{border-left:4px solid var(--c0);background:var(--field);
      padding:10px 18px;margin:16px 0 28px;font-size:18px;border-radius:0 6px 6px 0}
      .p-answer p+p{font-size:15px;color:var(--muted)}
      .p-good{border-left-color:var(--playing)}
      .p-doubtful{border-left-color:var(--waiting)}
      .p-bad{border-left-color:var(--verdict);background:var(--bad)}
      .p-bad .p-verdict{background:var(--verdict);color:#ffffff;font-weight:700;
      margin:-10px -18px 12px;padding:12px 18px;border-radius:0 6px 0 0;print-color-adjust:exact}
      .p-bad .p-sentence{color:var(--ink);font-size:18px}
      .p-bad .p-checks{font-size:15px;margin:8px 0}
      .p-bad a{color:inherit;font-size:15px}
      .p-scroll,.p-figure{overflow-x:auto}
      .p-scroll,.p-figure{background:linear-gradient(90deg,var(--paper) 30%,transparent) 0 0/40px
      100% no-repeat local,linear-gradient(270deg,var(--paper) 30%,transparent) 100% 0/40px 100%
      no-repeat local,linear-gradient(90deg,var(--frame),transparent) 0 0/12px 100% no-repeat
      scroll,linear-gradient(270deg,var(--frame),transparent) 100% 0/12px 100% no-repeat scroll}
      .p-scroll{margin:16px 0}
      .p-figures{display:flex;flex-wrap:wrap;gap:20px 24px;margin:16px 0}
      .p-figure{max-width:100%}
      .p-figure svg{display:block;max-width:100%;height:auto;min-width:600px}
      .p-wide{width:100%}
      .p-wide svg{min-width:820px}
      table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
      caption{text-align:left;font-weight:600;padding:0 0 6px}
      th,td{padding:5px 8px;text-align:left;border-bottom:1px solid var(--grid);
      vertical-align:top}
      tbody th{font-weight:500;white-space:nowrap;background:var(--paper)}
      thead th{border-bottom:2px solid var(--frame);white-space:nowrap;vertical-align:bottom}
      thead button{all:unset;cursor:pointer}
      thead button:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
      th[aria-sort=ascending] button::after{content:' ↑'}
      th[aria-sort=descending] button::after{content:' ↓'}
      .p-number{text-align:right;white-space:nowrap}
      .p-best{font-weight:700}
      .p-alarm{color:var(--alarm);font-weight:600}
      .p-reference{background:var(--field);color:var(--muted)}
      tbody tr:hover{background:var(--field)}
      .p-help{border:0;padding:0;font-size:13px}
      .p-help summary{font-weight:400;color:var(--muted);padding:2px 0}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 14px;margin:6px 0}
      dt{font-weight:600}
      dd{margin:0}
      .p-run svg path,.p-run svg line,.p-run svg rect{vector-effect:non-scaling-stroke}
      .p-live .p-figure{overflow:hidden}
      .p-live .p-figure svg{min-width:0;max-width:none;touch-action:pan-y;cursor:crosshair;
      user-select:none;-webkit-user-select:none}
      .p-run .p-figures{margin:6px 0}
      .p-tools{display:flex;flex-wrap:wrap;gap:6px;margin:12px 0 0}
      .p-tools button,.p-keys button{font:inherit;font-size:13px;min-width:34px;min-height:34px;
      padding:2px 9px;color:var(--ink);background:var(--field);border:1px solid var(--neutral);
      border-radius:6px;cursor:pointer}
      .p-tools .p-lane{text-decoration:line-through;color:var(--muted);background:none}
      .p-tools .p-lane[aria-pressed=true]{text-decoration:none;color:var(--ink);
      background:var(--idle)}
      .p-run details{border:0;padding:0}
      button:focus-visible,.p-figure:focus-visible,.p-scroll:focus-visible,
      summary:focus-visible,a:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
      .request:focus-visible{outline:2px solid var(--c0)}
      .p-cursor line{stroke:var(--ink);stroke-width:1.3px}
      .p-cursor path{fill:var(--ink)}
      .p-at{background:var(--field);border:1px solid var(--frame);border-radius:6px;
      padding:6px 12px 8px;margin:0 0 14px;overflow:auto;max-height:44vh}
      .p-used{position:sticky;bottom:8px;z-index:2}
      .p-at output{font-weight:600}
      .p-at table{font-size:13px;width:100%}
      .p-at th,.p-at td{padding:2px 10px 2px 0;border:0}
      .p-at tbody th{font-weight:400;color:var(--muted);background:none}
      .p-at td{overflow-wrap:anywhere}
      .p-flow tbody{display:grid;grid-template-columns:repeat(auto-fill,minmax(400px,1fr))}
      .p-flow tr{display:grid;grid-template-columns:190px 1fr}
      .p-new{font-weight:700}
      .p-keys{color:var(--ink);background:var(--paper);border:1px solid var(--neutral);
      border-radius:8px;max-width:min(520px,90vw)}
      .p-keys h2{margin-top:4px}
      details{border:1px solid var(--grid);border-radius:6px;margin:8px 0;padding:0 14px}
      details[open]{padding-bottom:10px}
      summary{cursor:pointer;padding:9px 0;font-weight:600;overflow-wrap:anywhere}
      code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
      overflow-wrap:anywhere}
      .p-checks{list-style:none;padding:0}
      .p-checks li{padding:3px 0 3px 26px;text-indent:-26px}
      .p-checks p{text-indent:0;margin:2px 0;color:var(--alarm)}
      .p-sliders label{display:inline-block;min-width:210px}
      .p-sliders input{width:260px;max-width:100%;vertical-align:middle}
      .p-chosen{font-weight:600}
      .p-out{color:var(--muted);text-decoration:line-through}
      .p-sign{display:inline-block;width:22px;text-indent:0;font-weight:700}
      .p-met .p-sign{color:var(--c2)}
      .p-missed .p-sign{color:var(--alarm)}
      .p-warned .p-sign,.p-warned p{color:var(--warning)}
      footer{margin-top:40px;padding-top:10px;border-top:1px solid var(--grid);
      color:var(--muted);font-size:13px;overflow-wrap:anywhere}
      @media (max-width:520px){body{font-size:14px}h1{font-size:21px}
      .p-answer{font-size:16px;padding:8px 12px}
      .p-bad .p-verdict{margin:-8px -12px 10px;padding:10px 12px}th,td{padding:4px 8px}
      .p-scroll tbody th:first-child{position:sticky;left:0;max-width:38vw;white-space:normal;
      overflow-wrap:break-word}.p-scroll tbody th.p-number:first-child{white-space:nowrap}
      .p-at table{font-size:12px}.p-flow tr{grid-template-columns:164px 1fr}}
      @media print{main{max-width:none;padding:0}.p-figure svg,.p-live .p-figure svg{min-width:0;
      max-width:100%}.p-scroll,.p-figure{overflow:visible;background:none}
      .p-tools,.p-help{display:none}.p-at{position:static;max-height:none}
      table{font-size:10px}th,td{padding:2px 4px;overflow-wrap:anywhere}
      .p-number,tbody th,thead th{white-space:normal}
      details::details-content{content-visibility:visible}
      tr,.p-figure{break-inside:avoid}}

      """)
}
