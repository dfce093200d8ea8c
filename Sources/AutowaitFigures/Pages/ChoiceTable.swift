/// A table that a reader orders for viewers of their own: two sliders say what a second of stall is
/// worth, and how many sessions may stall.
///
/// It holds whole sums, and so the script that orders it is as exact as what wrote it. Without the
/// script it is a table in the order of the weight that it was written with.
package struct ChoiceTable: Sendable {
  /// What can be chosen, and what its sessions came to.
  package struct Choice: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The sessions.
    package var sessions: Int64
    /// The sum of their startups, in nanoseconds.
    package var startup: Int128
    /// The sum of their time in stalls, in nanoseconds.
    package var stalled: Int128
    /// The sessions with a stall.
    package var stalledSessions: Int64
    /// Whether it is chosen for anybody; what stalls all the time is not.
    package var isChosen: Bool

    /// Creates a choice.
    package init(
      name: String, sessions: Int64, startup: Int128, stalled: Int128, stalledSessions: Int64
    ) {
      self.name = name
      self.sessions = sessions
      self.startup = startup
      self.stalled = stalled
      self.stalledSessions = stalledSessions
      isChosen = true
    }

    /// What the sessions cost a viewer to whom a second of stall is worth some of startup.
    func cost(_ weight: Int64) -> Int128 { startup + stalled * Int128(weight) }
  }

  /// The choices, those that were named first before others of the same cost.
  package var choices: [Choice]
  /// What a second of stall is worth at first, in seconds of startup.
  package var stallWeight: Int64
  /// The per cent of sessions that may stall at first.
  package var percentMax: Int64 = 100

  /// The greatest weight that can be chosen.
  private static let weightMax: Int64 = 50

  /// Creates a table.
  package init(_ choices: [Choice], stallWeight: Int64) {
    self.choices = choices
    self.stallWeight = stallWeight
  }

  /// The choices from the first to the last: those that cannot be chosen behind all others.
  package var ordered: [Choice] {
    choices.indices.sorted { left, right in
      func rank(_ index: Int) -> (Int, Int128, Int) {
        let choice = choices[index]
        return (isAllowed(choice) ? 0 : 1, choice.cost(stallWeight), index)
      }
      return rank(left) < rank(right)
    }.map { choices[$0] }
  }

  private func isAllowed(_ choice: Choice) -> Bool {
    choice.isChosen && choice.stalledSessions * 100 <= percentMax * choice.sessions
  }

  // MARK: Markup

  func write(into markup: inout Markup) {
    markup.begin("section", ["class": "p-choice", "aria-label": "Choose for your viewers"])
    markup.leaf("h2", "Choose for your viewers")
    markup.begin("div", ["class": "p-sliders", "hidden": "hidden"])
    for slider in sliders { write(slider, into: &markup) }
    markup.leaf("p", ["class": "p-chosen", "role": "status"], "")
    markup.end()
    markup.breakLine()
    writeTable(into: &markup)
    markup.end()
    markup.breakLine()
    markup.begin("script")
    markup.verbatim(Self.script)
    markup.end()
  }

  /// A number that the reader chooses.
  private struct Slider {
    let id: String
    let text: String
    let value: Int64
    let most: Int64
    let unit: String
  }

  private var sliders: [Slider] {
    [
      Slider(
        id: "p-weight", text: "A second of stall is worth", value: stallWeight,
        most: Self.weightMax, unit: "s of startup"),
      Slider(
        id: "p-limit", text: "Sessions that may stall", value: percentMax, most: 100, unit: "%"),
    ]
  }

  private func write(_ slider: Slider, into markup: inout Markup) {
    markup.begin("p")
    markup.leaf("label", ["for": slider.id], slider.text)
    markup.text(" ")
    markup.empty(
      "input",
      [
        "type": "range", "id": slider.id, "min": "0", "max": "\(slider.most)", "step": "1",
        "value": "\(slider.value)",
      ])
    markup.text(" ")
    markup.leaf("output", ["for": slider.id], "\(slider.value)")
    markup.text(" \(slider.unit)")
    markup.end()
  }

  private func writeTable(into markup: inout Markup) {
    markup.begin("div", ["class": "p-scroll", "tabindex": "0"])
    markup.begin("table", ["class": "p-choices"])
    markup.begin("thead")
    markup.begin("tr")
    let heads: [(String, String)] = [
      ("contestant", ""), ("cost s", "Mean startup and mean time in stalls by their weight"),
      ("startup s", "Mean startup"), ("stalls s", "Mean time in stalls"),
      ("stalled", "Sessions with a stall"),
    ]
    for (number, head) in heads.enumerated() {
      markup.leaf(
        "th", ["scope": "col", "class": number > 0 ? "p-number" : "", "title": head.1], head.0)
    }
    markup.end()
    markup.end()
    markup.begin("tbody")
    for choice in ordered { write(choice, into: &markup) }
    markup.end()
    markup.end()
    markup.end()
  }

  private func write(_ choice: Choice, into markup: inout Markup) {
    let place = choices.firstIndex(of: choice) ?? 0
    markup.begin(
      "tr",
      [
        "class": isAllowed(choice) ? "" : "p-out", "data-place": "\(place)",
        "data-sessions": "\(choice.sessions)", "data-startup": "\(choice.startup)",
        "data-stalled": "\(choice.stalled)", "data-stalls": "\(choice.stalledSessions)",
        "data-never": choice.isChosen ? "" : "never",
      ])
    markup.leaf("th", ["scope": "row"], choice.name)
    for sum in [choice.cost(stallWeight), choice.startup, choice.stalled] {
      markup.leaf("td", ["class": "p-number"], Self.mean(sum, choice.sessions))
    }
    let share = Self.hundredths(Int128(choice.stalledSessions) * 10_000, Int128(choice.sessions))
    markup.leaf("td", ["class": "p-number"], share + " %")
    markup.end()
    markup.breakLine()
  }

  /// A mean in seconds with two digits.
  private static func mean(_ sum: Int128, _ count: Int64) -> String {
    hundredths(sum, Int128(count) * 10_000_000)
  }

  /// A quotient of what is not negative, in hundredths, rounded to the nearest.
  private static func hundredths(_ part: Int128, _ whole: Int128) -> String {
    let value = (2 * part + whole) / (2 * whole)
    let rest = value % 100
    return "\(value / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Orders the table again whenever a slider moves, by whole sums as the table was first ordered.
  private static let script: StaticString = """

    document.querySelectorAll(".p-choice").forEach(function (part) {
      var weight = part.querySelector("#p-weight"), limit = part.querySelector("#p-limit");
      var body = part.querySelector("tbody"), chosen = part.querySelector(".p-chosen");
      function hundredths(top, bottom) {
        var value = (2n * top + bottom) / (2n * bottom), rest = value % 100n;
        return value / 100n + "." + (rest < 10n ? "0" : "") + rest;
      }
      function order() {
        var rows = Array.from(body.rows).map(function (row) {
          var data = row.dataset, sessions = BigInt(data.sessions);
          var cost = BigInt(data.startup) + BigInt(data.stalled) * BigInt(weight.value);
          var isOut = data.never !== undefined
            || BigInt(data.stalls) * 100n > BigInt(limit.value) * sessions;
          row.className = isOut ? "p-out" : "";
          row.cells[1].textContent = hundredths(cost, sessions * 10000000n);
          return { row: row, cost: cost, isOut: isOut, place: Number(data.place) };
        });
        rows.sort(function (a, b) {
          if (a.isOut !== b.isOut) { return a.isOut ? 1 : -1; }
          if (a.cost !== b.cost) { return a.cost < b.cost ? -1 : 1; }
          return a.place - b.place;
        });
        rows.forEach(function (item) { body.appendChild(item.row); });
        weight.parentNode.querySelector("output").textContent = weight.value;
        limit.parentNode.querySelector("output").textContent = limit.value;
        var best = rows.filter(function (item) {
          return !item.isOut && item.cost === rows[0].cost;
        });
        chosen.textContent = best.length === 0 ? "None of these is for such viewers."
          : "Choose " + best.map(function (item) { return item.row.cells[0].textContent; })
            .join(" or ") + ".";
      }
      weight.addEventListener("input", order);
      limit.addEventListener("input", order);
      part.querySelector(".p-sliders").hidden = false;
      order();
    });

    """
}
