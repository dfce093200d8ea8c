extension PageScript {
  /// How an experiment runs and is drawn.
  static let trial = #"""
    // An experiment: sessions run in a worker, and the front is drawn while they end.

    let trialHelper = null

    function stopTrial() { trialHelper?.stop() }

    function startTrial() {
      stopTrial()
      // Nothing of another experiment stays in sight.
      showTrial({})
      const own = tab
      const show = result => {
        if (tab === own) showTrial(result)
      }
      trialHelper.ask("experiment", { path: tab.path, text: tab.text, files: tab.files }, show)
    }

    function showTrial(result) {
      tab.result = result
      byId("trial-title").textContent = result.title ?? tab.title
      byId("trial-about").textContent = result.about ?? ""
      byId("trial-findings").textContent = [
        ...(result.findings ?? []), ...(result.problem ? [result.problem] : []),
      ].join("\n\n")
      byId("progress").max = result.all ?? 1
      byId("progress").value = result.sessions ?? 0
      byId("trial-count").textContent = result.all
        ? `${result.sessions} of ${result.all} sessions${result.more ? "" : ": done"}` : ""
      const contestants = result.contestants ?? []
      drawPoints(contestants)
      const order = [...contestants].sort((a, b) =>
        (a.startup ?? 1e18) + (a.stalled ?? 1e18) - (b.startup ?? 1e18) - (b.stalled ?? 1e18))
      const time = value => value === null || value === undefined ? "–" : shownTime(value)
      byId("contestants").replaceChildren(element("div", { class: "wide" }, element("table", {},
        element("thead", {}, element("tr", {}, ...["", "mean startup", "mean time in stalls",
          "sessions with stalls", "never started"].map((title, place) =>
          element("th", { scope: "col", class: place > 0 ? "number" : "" }, title)))),
        element("tbody", {}, ...order.map(one => element("tr", {},
          element("th", { scope: "row" }, `${one.isOnFront ? "● " : "○ "}${one.name}`
            + (one.isBaseline ? " (baseline)" : "")),
          element("td", { class: "number" }, time(one.startup)),
          element("td", { class: "number" }, time(one.stalled)),
          element("td", { class: "number" }, String(one.sessionsWithStalls)),
          element("td", { class: "number" }, String(one.neverStarted))))))),
      element("p", { class: "hint" }, `● on the front: no other is better at both. Means of the `
        + `${result.common ?? 0} units that started under all.`))
    }

    // Draws each contestant where its mean startup and its mean time in stalls meet.
    function drawPoints(contestants) {
      const canvas = byId("points")
      const pen = canvas.getContext("2d")
      const ratio = window.devicePixelRatio || 1
      const [width, height] = [canvas.clientWidth, canvas.clientHeight]
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
      pen.setTransform(ratio, 0, 0, ratio, 0, 0)
      picture.readColors()
      const { color } = picture
      const shown = contestants.filter(one => one.startup !== null && one.startup !== undefined)
      const most = name =>
        roundUp(Math.max(1e8, ...shown.map(one => one[name])) * 1.05 / nano) * nano
      const [left, top, right, bottom] = [64, 14, width - 16, height - 40]
      const [mostX, mostY] = [most("startup"), most("stalled")]
      const x = value => left + value / mostX * (right - left)
      const y = value => bottom - value / mostY * (bottom - top)
      pen.font = "11px system-ui, sans-serif"
      pen.textBaseline = "middle"
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        pen.fillStyle = color("grid")
        pen.fillRect(left, y(mostY * part), right - left, 1)
        pen.fillRect(x(mostX * part), top, 1, bottom - top)
        pen.fillStyle = color("muted")
        pen.textAlign = "right"
        pen.fillText(shownTime(mostY * part), left - 6, y(mostY * part))
        pen.textAlign = "center"
        pen.fillText(shownTime(mostX * part), x(mostX * part), bottom + 12)
      }
      pen.textAlign = "center"
      pen.fillText("mean startup", (left + right) / 2, bottom + 30)
      pen.save()
      pen.translate(10, (top + bottom) / 2)
      pen.rotate(-Math.PI / 2)
      pen.fillText("mean time in stalls", 0, 0)
      pen.restore()
      const front = shown.filter(one => one.isOnFront).sort((a, b) => a.startup - b.startup)
      pen.strokeStyle = color("muted")
      pen.setLineDash([2, 4])
      pen.beginPath()
      front.forEach((one, place) =>
        place === 0 ? pen.moveTo(x(one.startup), y(one.stalled)) : pen.lineTo(x(one.startup),
          y(one.stalled)))
      pen.stroke()
      pen.setLineDash([])
      const taken = []
      for (const one of shown) {
        const [px, py] = [x(one.startup), y(one.stalled)]
        pen.fillStyle = color(one.isOnFront ? "c1" : "c0")
        pen.beginPath()
        pen.arc(px, py, one.isOnFront ? 6 : 4.5, 0, 7)
        pen.fill()
        const room = pen.measureText(one.name).width
        const isLeft = px + 10 + room > right
        const box = [isLeft ? px - 10 - room : px + 10, py]
        // A name that would cover another one stands only in the table.
        if (taken.some(([tx, ty, tw]) =>
          tx + tw > box[0] && box[0] + room > tx && 12 > Math.abs(ty - py))) continue
        taken.push([box[0], py, room])
        pen.fillStyle = color("ink")
        pen.textAlign = "left"
        pen.fillText(one.name, box[0], py)
      }
    }
    """#
}
