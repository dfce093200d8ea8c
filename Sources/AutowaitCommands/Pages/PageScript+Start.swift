extension PageScript {
  /// The beginning.
  static let start = #"""
    // The beginning: what listens, which tab is first, and whether all runs are as natively.

    let helper = null

    function listen() {
      for (const button of document.querySelectorAll("[data-step]")) {
        button.addEventListener("click", () => actions[button.dataset.step]())
      }
      for (const button of document.querySelectorAll("[data-zoom]")) {
        button.addEventListener("click", () => zoom(Number(button.dataset.zoom)))
      }
      const onClick = (id, body) => byId(id).addEventListener("click", body)
      onClick("outage", actions.outage)
      onClick("undo", actions.undo)
      onClick("reset", actions.reset)
      onClick("watch", watch)
      onClick("help", showKeys)
      onClick("copy", () => copyText(tab.text, "The JSON is copied."))
      onClick("copy-other", () => copyText(otherText() ?? "", "The JSON is copied."))
      onClick("copy-link", async () => {
        const base = location.href.split("#")[0].split("?")[0]
        copyText(`${base}#${await fragment()}`, "The link is copied.")
      })
      onClick("save", () => {
        const url = URL.createObjectURL(new Blob([tab.text], { type: "application/json" }))
        element("a", { href: url, download: tab.path.split("/").pop() }).click()
        setTimeout(() => URL.revokeObjectURL(url), 1000)
      })
      onClick("open", () => byId("file").click())
      onClick("trial-run", startTrial)
      byId("file").addEventListener("change", event => takeFiles([...event.target.files]))
      byId("json").addEventListener("input", event => {
        if (tab.kind === "experiment") {
          tab.text = event.target.value
          return
        }
        setText(event.target.value)
        clearTimeout(listen.filling)
        listen.filling = setTimeout(fillControls, 300)
      })
      byId("link").addEventListener("change", event => {
        if (!event.target.value) return
        changeAndFill(model => model.setLink(event.target.value))
        fitScale()
        show()
      })
      byId("round-trip").addEventListener("change", event => {
        const seconds = quantity(typed(event.target.value), "time")
        if (seconds >= 0) changeAndFill(model => model.setRoundTrip(seconds))
      })
      byId("scale").addEventListener("change", event => {
        tab.scale = Number(event.target.value)
        show()
      })
      document.addEventListener("dragover", event => {
        event.preventDefault()
        document.body.classList.add("is-over")
      })
      document.addEventListener("dragleave", () => document.body.classList.remove("is-over"))
      document.addEventListener("drop", event => {
        event.preventDefault()
        document.body.classList.remove("is-over")
        takeFiles([...event.dataTransfer.files])
      })
      const again = () => tab && (tab.kind === "scenario" ? show() : showTrial(tab.result ?? {}))
      window.addEventListener("resize", again)
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again)
      window.addEventListener("hashchange", async () =>
        openLinked(await fromFragment(location.hash)))
    }

    function openLinked(linked) {
      if (!linked) return
      tabs.push(linked)
      openTab(linked)
    }

    // Runs all that is embedded once more, and says whether each came as the tool had it.
    async function verify() {
      const rows = []
      for (const one of tabs.filter(one => one.native)) {
        const here = await helper.ask(
          "fingerprint", { path: one.path, text: one.original, files: one.files })
        rows.push({ title: one.title, path: one.path, native: one.native, here })
      }
      const equal = rows.filter(row => row.native === row.here).length
      const same = byId("same")
      const isSame = equal === rows.length
      same.textContent = isSame ? `same as native: ${equal} of ${rows.length}`
        : `not as native: ${rows.length - equal} of ${rows.length}`
      same.className = isSame ? "is-good" : "is-bad"
      same.dataset.state = isSame ? "same" : "different"
      same.addEventListener("click", () => {
        byId("sheet-body").replaceChildren(
          element("h2", {}, "Same as native"),
          element("p", {}, "Each scenario was run by autowait when it wrote this page, and here "
            + "when it was opened. A fingerprint is a digest of all that happened."),
          element("div", { class: "wide" }, element("table", {}, element("thead", {},
            element("tr", {}, ...["scenario", "native", "here"].map(title =>
              element("th", { scope: "col" }, title)))),
          element("tbody", {}, ...rows.map(row => element("tr", {},
            element("td", {}, row.path), element("td", {}, element("code", {}, row.native)),
            element("td", { class: row.native === row.here ? "" : "is-alarm" },
              element("code", {}, row.here))))))))
        byId("sheet").showModal()
      })
    }

    // Unpacks the module, and runs what is open with it.
    async function load() {
      try {
        const bytes = await moduleBytes()
        const module = await WebAssembly.compile(bytes)
        helper = new Helper(bytes, module)
        trialHelper = new Helper(bytes, module)
        engine = new Engine(module)
      } catch (error) {
        tell([`this browser cannot run the simulator: ${error.message}`])
        return
      }
      if (tab.view.title) simulate()
      else openTab(tab)
      show()
      document.documentElement.dataset.ready = String(Math.round(performance.now()))
      setTimeout(verify, 100)
    }

    async function start() {
      byId("footer").textContent = data.footer
      listen()
      const wanted = new URLSearchParams(location.search).get("scenario")
      const named = wanted && tabs.find(one =>
        [one.path, one.title, one.path.split("/").pop().replace(/\.json$/, "")].includes(wanted))
      const linked = await fromFragment(location.hash)
      if (linked) tabs.push(linked)
      openTab(linked ?? named ?? tabs[0])
      document.documentElement.dataset.drawn = String(Math.round(performance.now()))
      if (wanted && !named) tell([`there is no scenario '${wanted}' in this page`])
      // The browser paints first.
      requestAnimationFrame(() => setTimeout(load, 0))
    }

    start()
    """#
}
