extension PageScript {
  /// What is open, how it is run again, and what is said about it.
  static let app = #"""
    // The page itself: which tab is open, what its JSON is, and what a person does to it.

    const byId = id => document.getElementById(id)
    const data = JSON.parse(byId("data").textContent)
    const picture = new Picture(byId("picture"))
    let engine = null
    let tab = null

    function element(name, attributes = {}, ...children) {
      const made = document.createElement(name)
      for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
        else if (key === "class") made.className = value
        else if (value !== false) made.setAttribute(key, value === true ? "" : value)
      }
      made.append(...children)
      return made
    }

    // MARK: Workers

    // A worker that is made when it is needed; without workers its tasks are done here, one by one.
    class Helper {
      constructor(bytes, module) {
        Object.assign(this, { bytes, module, count: 0, answers: new Map() })
      }

      get scope() {
        if (this.made) return this.made
        const post = message => {
          const answer = this.answers.get(message.id)
          if (!message.result.more) this.answers.delete(message.id)
          answer?.(message.result)
        }
        try {
          this.made = workerOf(
            "self.onmessage = ({ data }) => work(self, new WebAssembly.Module(data))")
          this.made.postMessage(this.bytes)
          this.made.onmessage = ({ data }) => post(data)
        } catch {
          const inside = { postMessage: post }
          work(inside, this.module)
          this.made = {
            postMessage: message => setTimeout(() => inside.onmessage({ data: message }), 0),
          }
        }
        return this.made
      }

      // Asks for a task; what comes once is a promise, and what comes again is called back.
      ask(task, input, more = null) {
        const id = this.count += 1
        return new Promise(resolve => {
          this.answers.set(id, more ?? resolve)
          this.scope.postMessage({ id, task, input })
        })
      }

      stop() {
        this.answers.clear()
        this.scope.postMessage({ id: 0, task: "stop" })
      }
    }

    // MARK: Tabs

    class Tab {
      constructor(source) {
        const { title, group, kind = "scenario", path, text, files = {}, native, view } = source
        Object.assign(this, { title, group: group ?? title, kind, path, native })
        this.files = Object.fromEntries(
          Object.entries(files).map(([name, base64]) => [name, bytesOf(base64)]))
        Object.assign(this, {
          original: text, text, run: "", other: null, past: [], cursor: null, zoom: 1, pan: 0,
          scale: null, view: view ?? {}, otherView: {},
        })
      }

      get model() { return new Scenario(this.text) }
    }

    const tabs = [...data.tabs, ...data.files].map(one => new Tab(one))
    const groups = () => [...new Set(tabs.map(one => one.group))]

    function drawTabs() {
      byId("tabs").replaceChildren(...groups().map(group => {
        const first = tabs.find(one => one.group === group)
        return element("button", {
          type: "button", role: "tab", "aria-selected": String(tab?.group === group),
          onclick: () => openTab(first),
        }, group)
      }))
      const own = tabs.filter(one => one.group === tab.group)
      byId("acts").replaceChildren(...(own.length === 1 ? [] : own.map(one => element("button", {
        type: "button", "aria-pressed": String(one === tab), onclick: () => openTab(one),
      }, one.title))))
    }

    function openTab(next) {
      stopWatching()
      if (tab?.kind === "experiment" && next !== tab) stopTrial()
      tab = next
      drawTabs()
      const isTrial = tab.kind === "experiment"
      byId("stage").hidden = isTrial
      byId("trial").hidden = !isTrial
      byId("json").value = tab.text
      byId("copy-other").hidden = true
      if (isTrial) {
        if (engine) startTrial()
      } else {
        simulate()
        fitScale()
        if (tab.cursor === null) tab.cursor = firstLook()
        show()
        fillControls()
      }
    }

    // The cursor begins where something happens: at the first step that a person does.
    function firstLook() {
      const marks = (tab.view.players ?? []).flatMap(player => player.marks)
      return marks.find(mark => mark.kind === "tap" && mark.at > 0)?.at ?? 0
    }

    // MARK: Running

    // A run that takes longer than a frame goes to a worker, which is asked for the newest text.
    const frameTime = 14

    // The text of a tab under its other rule; nothing if there is none.
    function otherText(own = tab) {
      if (!own.other) return null
      try {
        return new Scenario(wholeText(own)).setRule(own.other.name, own.other.numbers).text
      } catch {
        return null
      }
    }

    function jobs(own) {
      const other = otherText(own)
      return [
        { key: "view", text: own.text, run: own.run },
        ...(other ? [{ key: "otherView", text: other, run: "" }] : []),
      ].map(job => ({ ...job, path: own.path, files: own.files }))
    }

    // Takes what a run came to, and notes whether the next one should be done elsewhere.
    function take(own, job, view) {
      own[job.key] = view
      own.count = (own.count ?? 0) + 1
      // The first runs are slow because the browser still compiles.
      own.isSlow = view.took > (own.count > 6 ? frameTime : 12 * frameTime)
    }

    function simulate() {
      const own = tab
      own.version = (own.version ?? 0) + 1
      if (!own.other) own.otherView = {}
      // Until the module is unpacked, the picture is the one that the tool has made.
      if (!engine) return
      if (own.isSlow && helper) simulateElsewhere(own)
      else for (const job of jobs(own)) take(own, job, engine.view(job))
    }

    async function simulateElsewhere(own) {
      if (own.isBusy) return
      own.isBusy = true
      let version
      do {
        version = own.version
        for (const job of jobs(own)) take(own, job, await helper.ask("view", job))
        if (own === tab) show()
      } while (version !== own.version)
      own.isBusy = false
    }

    // Takes a new text; one that is the first of a gesture can be gone back to.
    function setText(text, { isGesture = false } = {}) {
      if (text === tab.text) return
      if (!isGesture || !tab.inGesture) tab.past.push(tab.text)
      tab.inGesture = isGesture
      tab.text = text
      byId("json").value = text
      simulate()
      show()
      remember()
    }

    // The text of the scenario with all that it is made of, and of one that varies the run that is
    // shown: what changes is changed in that.
    function wholeText(own = tab) {
      return Scenario.isPutTogether(own.text) && own.view.resolved ? own.view.resolved : own.text
    }

    function change(body, options) {
      try {
        const model = new Scenario(wholeText())
        body(model)
        setText(model.text, options)
      } catch (error) {
        tell([`nothing can be changed by hand in this JSON: ${error.message}`])
      }
    }

    const changeAndFill = body => {
      change(body)
      fillControls()
    }

    const tell = findings => { byId("findings").textContent = findings.join("\n\n") }

    // MARK: Showing

    const ruleName = side => {
      if (side === 1) return tab.other.name
      try {
        return new Scenario(wholeText()).rule.name || "its own rule"
      } catch {
        return ""
      }
    }

    function sides() {
      const all = [{ view: tab.view, name: ruleName(0) }]
      if (tab.other && tab.otherView.players) all.push({ view: tab.otherView, name: ruleName(1) })
      return all
    }

    // The time that is shown stays while somebody draws, so that nothing moves below the finger.
    function span() {
      if (tab.inGesture && tab.shown) return tab.shown
      const ends = sides().filter(side => side.view.end)
        .map(({ view }) => Math.min(view.end, (view.quietSince ?? view.end)))
      const whole = Math.max(1e9, ...ends)
      const length = whole / tab.zoom
      const from = Math.min(Math.max(0, tab.pan), whole - length)
      tab.shown = [from, from + length, whole]
      return tab.shown
    }

    function fitScale() {
      const rates = [
        ...(tab.view.link?.rates ?? []).filter((_, place) => place % 2 === 1),
        ...(tab.view.players ?? []).flatMap(player => player.need.filter((_, i) => i % 2 === 1)),
      ].filter(rate => rate && 1e11 > rate)
      tab.scale = roundUp(1.4 * Math.max(1e5, ...(rates.length > 0 ? rates : [1e7])))
      const choices = [0.1, 0.2, 0.5, 1, 2, 5, 10].map(factor => roundUp(tab.scale * factor))
      byId("scale").replaceChildren(...[...new Set(choices)].map(value =>
        element("option", { value, selected: value === tab.scale }, shownRate(value))))
    }

    function show() {
      if (tab.kind !== "scenario") return
      const { view } = tab
      tell([...(view.findings ?? []), ...(tab.other ? tab.otherView.findings ?? [] : [])]
        .filter(text => !/: warning: /.test(text) || !view.players))
      byId("title").textContent = view.title ?? tab.title
      byId("about").textContent = tab.text === tab.original ? view.about ?? "" : changedText()
      byId("copy-other").hidden = !tab.other
      drawPicture()
      drawReading()
      // While somebody draws, what is to be read long waits for the end.
      if (drawn) return
      drawRuns(view.runs ?? [])
      drawStory()
      drawNumbers()
      byId("undo").disabled = tab.past.length === 0
      byId("reset").disabled = tab.text === tab.original
      const name = tab.path.split("/").pop()
      byId("command").replaceChildren(...(view.fingerprint ? [
        "autowait run ", element("code", {}, name), " gives the same fingerprint: ",
        element("code", { id: "fingerprint" }, view.fingerprint), ".",
      ] : []))
    }

    const changedText = () =>
      "Changed: what the file expected of its run is left out. ‘start again’ brings it back."

    function drawRuns(runs) {
      if (1 >= runs.length) return
      byId("acts").replaceChildren(element("label", {}, "Run ", element("select", {
        onchange: event => {
          tab.run = event.target.value
          simulate()
          show()
        },
      }, ...runs.map(name => element("option", { selected: name === tab.run }, name)))))
    }

    let isDrawing = false

    function drawPicture() {
      const [from, to, whole] = span()
      picture.draw({ sides: sides(), from, to, scale: tab.scale, cursor: tab.cursor, isDrawing })
      const frame = byId("frame")
      frame.setAttribute("aria-valuemax", plain(whole / nano, 3))
      frame.setAttribute("aria-valuenow", plain((tab.cursor ?? 0) / nano, 3))
      frame.setAttribute("aria-valuetext", `${shownTime(tab.cursor ?? 0)}, `
        + sides().map(side => stateAt(side.view, 0)).join("; "))
    }

    const stateAt = (view, player) => view.players?.[player]?.states
      .filter(state => tab.cursor >= state.from).pop()?.text ?? "paused"

    const lineAt = (view, player) => (view.lines ?? []).filter(line =>
      line.player === player && tab.cursor >= line.at).pop()

    function drawReading() {
      const columns = sides().flatMap(({ view, name }) =>
        (view.players ?? []).map((player, number) => ({ view, name, player, number })))
      const rows = [
        ["state", one => stateAt(one.view, one.number)],
        ["because", one => {
          const line = lineAt(one.view, one.number)
          return line ? `${line.what}${line.why ? `: ${line.why}` : ""}` : "nothing yet"
        }],
        ["media ahead", one => {
          const value = valueAt(one.player.ahead, tab.cursor, true)
          return value === null ? "none" : shownTime(value)
        }],
        ["requests", one => one.player.requests.filter(request =>
          tab.cursor >= request.from && request.to > tab.cursor)
          .map(request => request.text).join("; ") || "none"],
        ["fill rate", one => {
          const value = valueAt(one.player.fill, tab.cursor)
          return value === null ? "not known yet" : shownRate(value)
        }],
        ["link", one => shownRate(valueAt(one.view.link?.rates ?? [], tab.cursor) ?? 0)],
      ]
      const titles = columns.map(one => [
        sides().length > 1 ? one.name : "", one.view.players.length > 1 ? one.player.name : "",
      ].filter(Boolean).join(": "))
      byId("reading").replaceChildren(element("div", { class: "wide" }, element("table", {},
        element("thead", {}, element("tr", {}, element("th", { scope: "col" },
          `at ${shownTime(tab.cursor ?? 0)}`),
        ...titles.map(title => element("th", { scope: "col" }, title)))),
        element("tbody", {}, ...rows.map(([name, body]) => element("tr", {},
          element("th", { scope: "row" }, name),
          ...columns.map(one => element("td", {}, body(one)))))))))
    }

    function drawStory() {
      const parts = sides().map(({ view, name }) => {
        const lines = view.lines ?? []
        const now = lines.filter(line => tab.cursor >= line.at).pop()
        const hasSeveral = (view.players ?? []).length > 1
        return element("div", {},
          ...(sides().length > 1 ? [element("h4", {}, name)] : []),
          element("div", { class: "scroll" }, element("table", {}, element("tbody", {},
            ...lines.slice(0, 200).map(line => element("tr", {
              class: line === now ? "is-now" : "", onclick: () => moveCursor(line.at),
            },
            element("td", {}, shownTime(line.at)),
            element("td", { class: line.isAlarm ? "is-alarm" : "" },
              (hasSeveral && line.player !== null ? `${view.players[line.player]?.name}: ` : "")
              + line.what),
            element("td", {}, line.why)))))))
      })
      byId("story").replaceChildren(...parts)
    }

    function drawNumbers() {
      const all = sides()
      const names = [...new Set(all.flatMap(({ view }) =>
        (view.metrics ?? []).map(metric => metric.name)))]
      const cell = (view, name) => {
        const found = (view.metrics ?? []).find(metric => metric.name === name)
        return found ? found.values.join(", ") : "–"
      }
      const about = name => all.flatMap(({ view }) => view.metrics ?? [])
        .find(metric => metric.name === name).about
      const checks = tab.view.checks ?? []
      byId("numbers").lastElementChild.replaceChildren(
        element("div", { class: "wide" }, element("table", {}, element("tbody", {},
          ...(all.length > 1 ? [element("tr", {}, element("th", {}, ""),
            ...all.map(side => element("th", { class: "number" }, side.name)))] : []),
          ...names.map(name => element("tr", {}, element("th", { scope: "row" }, name),
            ...all.map(({ view }) => element("td", { class: "number" }, cell(view, name))),
            element("td", {}, about(name))))))),
        ...checks.map(check => element("p", { class: check.isMet ? "" : "is-alarm" },
          `${check.isMet ? "✓" : "✗"} ${check.text}`)))
    }
    """#
}
