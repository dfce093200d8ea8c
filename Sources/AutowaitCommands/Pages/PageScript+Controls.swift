extension PageScript {
  /// The fields, and how a scenario leaves the page and comes into it.
  static let controls = #"""
    // Fields for what a scenario has most often: its link, rules, media and steps.

    function field(name, value, onchange, more = {}) {
      return element("label", {}, element("span", { title: more.title ?? "" }, name),
        element("input", {
          value, placeholder: more.placeholder ?? "", "aria-label": more.label ?? name,
          onchange: event => onchange(event.target.value),
        }))
    }

    function fillControls() {
      let model
      try {
        model = new Scenario(wholeText())
      } catch {
        return
      }
      fillNetwork(model)
      fillRule(byId("rule-a"), model.rule, (name, numbers) =>
        changeAndFill(own => own.setRule(name, numbers)))
      fillRule(byId("rule-b"), tab.other ?? { name: "", numbers: new Map() }, (name, numbers) => {
        tab.other = name ? { name, numbers } : null
        simulate()
        show()
        fillControls()
        remember()
      }, "nothing")
      fillMedia(model)
      fillSteps(model)
    }

    function fillNetwork(model) {
      const link = model.root.get("link")
      const name = typeof link === "string" ? link : ""
      byId("link").replaceChildren(
        ...(name && data.links.some(one => one.name === name) ? []
          : [element("option", { value: "", selected: true }, name || "as drawn, or of the file")]),
        ...data.links.map(one => element("option", {
          value: one.name, selected: one.name === name, title: one.about,
        }, one.name)))
      byId("round-trip").value = timeText((tab.view.link?.roundTrip ?? 0) / nano)
    }

    function fillRule(set, rule, store, none = null) {
      const known = data.rules.find(one => one.name === rule.name)
      const options = [
        ...(none ? [element("option", { value: "", selected: !rule.name }, none)] : []),
        ...(!none && !known ? [element("option", { value: "", selected: true }, "its own")] : []),
        ...data.rules.map(one => element("option", {
          value: one.name, selected: one.name === rule.name,
        }, one.name)),
      ]
      const legend = set.firstElementChild
      const choice = element("select", {
        "aria-label": legend.textContent, onchange: event => store(event.target.value, new Map()),
      }, ...options)
      const numbers = (known?.parameters ?? []).map(parameter => {
        const given = rule.numbers.get(parameter.name)
        const text = given === undefined ? "" : given instanceof NumberText ? given.text
          : String(given)
        return field(parameter.name, text, value => {
          const next = new Map(rule.numbers)
          if (value.trim() === "") next.delete(parameter.name)
          else next.set(parameter.name, typed(value))
          store(rule.name, next)
        }, { placeholder: String(parameter.value ?? "none"), title: parameter.about,
          label: `${legend.textContent}: ${parameter.name}` })
      })
      set.replaceChildren(legend, element("label", {}, element("span", {}, "rule"), choice),
        ...numbers, ...(known ? [element("p", {}, known.about)] : []))
    }

    function fillMedia(model) {
      const parts = model.media.slice(0, 6).flatMap((item, number) => {
        const text = key => {
          const value = item.get(key)
          return value instanceof NumberText ? value.text : typeof value === "string" ? value : ""
        }
        const set = key => value => changeAndFill(own => own.setMedia(number, key, typed(value)))
        const rows = [element("p", {}, `${model.media.length > 1 ? `${number + 1}: ` : ""}`
          + (text("kind") || "progressive"))]
        if (item.has("duration")) rows.push(field("duration", text("duration"), set("duration")))
        for (const key of ["bitrate", "segmentDuration"]) {
          if (item.has(key)) rows.push(field(key, text(key), set(key)))
        }
        return [...rows, ...fillVariants(item, number)]
      })
      byId("media").replaceChildren(byId("media").firstElementChild, ...parts)
    }

    function fillVariants(item, number) {
      const variants = item.get("variants")
      if (!Array.isArray(variants)) return []
      const store = body => changeAndFill(own => {
        const list = own.media[number].get("variants")
        body(list)
        return own.forget()
      })
      return [
        ...variants.slice(0, 12).map((variant, place) => element("div", { class: "row" },
          element("span", {}, String(variant.get("name") ?? `variant ${place + 1}`)),
          element("input", {
            value: variant.get("bandwidth")?.text ?? variant.get("bandwidth") ?? "",
            "aria-label": `bandwidth of variant ${place + 1}`,
            onchange: event => store(list => {
              list[place].set("bandwidth", typed(event.target.value))
              list[place].delete("bitrate")
              list[place].delete("averageBandwidth")
            }),
          }),
          element("button", {
            type: "button", "aria-label": `remove variant ${place + 1}`,
            onclick: () => store(list => list.splice(place, 1)),
          }, "×"))),
        element("button", {
          type: "button", onclick: () => store(list => {
            const last = list[list.length - 1]
            const rate = quantity(last?.get("bandwidth"), "rate") || 1e6
            list.push(members({ bandwidth: rateText(rate / 2) }))
          }),
        }, "add a variant"),
      ]
    }

    function fillSteps(model) {
      const rows = model.script.slice(0, 40).map((step, number) => {
        const known = ["at", "when", "on", "after", "every", "do", "about"]
        const more = [...step].filter(([key]) => !known.includes(key))
          .map(([key, value]) => `${key} ${writeJSON(value, 1)}`).join(", ")
        const words = [triggerText(step), step.get("do"), more].filter(Boolean).join(" ")
        return element("div", { class: "row" },
          ...(step.has("at") ? [element("input", {
            value: step.get("at")?.text ?? step.get("at"),
            "aria-label": `time of step ${number + 1}`,
            onchange: event =>
              changeAndFill(own => own.moveStep(number, typed(event.target.value))),
          })] : []),
          element("span", {}, words),
          element("button", {
            type: "button", "aria-label": `remove step ${number + 1}`,
            onclick: () => changeAndFill(own => own.removeStep(number)),
          }, "×"))
      })
      byId("steps").replaceChildren(byId("steps").firstElementChild, ...rows)
    }

    // MARK: Copies and links

    async function copyText(text, words) {
      try {
        await navigator.clipboard.writeText(text)
        byId("copied").textContent = words
      } catch {
        // Pages that are files may not write there; a person still can.
        byId("json").value = text
        byId("json").focus()
        byId("json").select()
        const isCopied = document.execCommand?.("copy")
        byId("copied").textContent = isCopied ? words
          : "It is marked: copy it with Ctrl or ⌘ and C."
      }
    }

    const toBase64 = bytes => {
      let text = ""
      for (const byte of bytes) text += String.fromCharCode(byte)
      return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
    }
    const fromBase64 = text => bytesOf(text.replace(/-/g, "+").replace(/_/g, "/")
      + "=".repeat((4 - text.length % 4) % 4))

    async function through(bytes, stream) {
      const response = new Response(new Blob([bytes]).stream().pipeThrough(stream))
      return new Uint8Array(await response.arrayBuffer())
    }

    // What a link holds: the JSON, what it is called, and the other rule.
    async function fragment() {
      const other = tab.other
        ? { name: tab.other.name, numbers: writeJSON(tab.other.numbers) } : undefined
      const bytes = new TextEncoder().encode(JSON.stringify(
        { path: tab.path, text: tab.text, other, kind: tab.kind }))
      try {
        return "s=" + toBase64(await through(bytes, new CompressionStream("deflate-raw")))
      } catch {
        return "j=" + toBase64(bytes)
      }
    }

    async function fromFragment(text) {
      const [, kind, content] = /^#?([sj])=([-_A-Za-z0-9]+)$/.exec(text) ?? []
      if (!kind) return null
      try {
        let bytes = fromBase64(content)
        if (kind === "s") bytes = await through(bytes, new DecompressionStream("deflate-raw"))
        const { path, text, other, kind: what } = JSON.parse(new TextDecoder().decode(bytes))
        const known = [...data.tabs, ...data.files].find(one => one.path === path)
        const next = new Tab({
          title: "from the link", path: String(path), text: String(text), files: known?.files,
          kind: what === "experiment" ? what : "scenario",
        })
        if (other) {
          next.other = { name: String(other.name), numbers: readJSON(String(other.numbers)) }
        }
        return next
      } catch (error) {
        tell([`the link cannot be read: ${error.message}`])
        return null
      }
    }

    let remembering = null

    // The address always leads to what is seen; it is written a while after the last change.
    function remember() {
      clearTimeout(remembering)
      remembering = setTimeout(async () => {
        if (tab.text === tab.original && !tab.other) return
        try { history.replaceState(null, "", "#" + await fragment()) } catch { /* some may not */ }
      }, 500)
    }

    // MARK: Files

    async function takeFiles(list) {
      const files = {}
      const texts = []
      for (const file of list) {
        const bytes = new Uint8Array(await file.arrayBuffer())
        files[file.name] = bytes
        if (file.name.endsWith(".json")) texts.push([file.name, new TextDecoder().decode(bytes)])
      }
      // Of several files those are opened that are no parts of others.
      const whole = texts.filter(([, text]) => /"(script|base)"\s*:/.test(text))
      let last = null
      for (const [name, text] of whole.length > 0 ? whole : texts) {
        last = new Tab({
          title: name, path: name, text,
          kind: /"experiment"\s*:/.test(text) ? "experiment" : undefined,
        })
        last.files = files
        tabs.push(last)
      }
      if (last) openTab(last)
      else tell(["a scenario or an experiment is a file of JSON"])
    }
    """#
}
