extension PageScript {
  /// How a scenario changes: what a person does becomes JSON.
  static let model = #"""
    // A scenario as a person changes it: each change makes another JSON, and nothing else is kept.

    const units = {
      time: { ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400 },
      rate: {
        "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9, "Tbit/s": 1e12, bps: 1, kbps: 1e3,
        Mbps: 1e6, Gbps: 1e9, "B/s": 8, "kB/s": 8e3, "MB/s": 8e6, "GB/s": 8e9,
      },
    }

    // Returns a quantity as a number in its base unit; NaN if it is none.
    function quantity(value, kind) {
      if (value instanceof NumberText) return Number(value.text)
      const text = typeof value === "string" ? value : ""
      const found = /^ *([-+0-9.eE]+?) ?([a-zA-Zµ/]*) *$/.exec(text)
      if (!found) return NaN
      return Number(found[1]) * (found[2] === "" ? 1 : units[kind][found[2]] ?? NaN)
    }

    const plain = (number, digits) => String(Number(number.toFixed(digits)))
    const timeText = seconds => `${plain(seconds, 6)} s`

    function rateText(bits) {
      const whole = Math.min(1e12, Math.round(bits))
      if (whole >= 1e6 && whole % 10 === 0) return `${plain(whole / 1e6, 5)} Mbit/s`
      return whole >= 1e3 ? `${plain(whole / 1e3, 3)} kbit/s` : `${whole} bit/s`
    }

    const members = object => new Map(Object.entries(object))
    const copy = value => value instanceof Map
      ? new Map([...value].map(([key, part]) => [key, copy(part)]))
      : Array.isArray(value) ? value.map(copy) : value

    // What a person types: a number, or a text that may have a unit.
    const typed = text => /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text.trim())
      ? new NumberText(text.trim()) : text.trim() === "null" ? null : text.trim()

    class Scenario {
      constructor(text) {
        this.root = readJSON(text)
        if (!(this.root instanceof Map)) throw new SyntaxError("no object")
      }

      get text() { return writeJSON(this.root) + "\n" }

      // Whether it is put together of several texts, so that a change begins with the whole.
      static isPutTogether(text) {
        try {
          const { root } = new Scenario(text)
          return root.has("extends") || root.has("vary")
        } catch {
          return false
        }
      }

      // What was expected of a run is not expected of another one.
      forget() {
        for (const key of ["expect", "xfail", "vary", "extends"]) this.root.delete(key)
        return this
      }

      // The links, each from a time on, as objects that can be changed.
      links() {
        const object = link =>
          link instanceof Map && !link.has("trace") ? link : members({ use: link ?? "unlimited" })
        const link = this.root.get("link")
        const isList = Array.isArray(link)
        const uses = (isList ? link : [members({ at: new NumberText("0"), use: link })])
          .filter(element => element instanceof Map)
          .map(element => ({
            at: quantity(element.get("at"), "time") || 0, element, link: object(element.get("use")),
          }))
        const store = () => {
          for (const use of uses) use.element.set("use", use.link)
          if (!isList) this.root.set("link", uses[0].link)
        }
        return { uses, store }
      }

      static direction(link, name) {
        if (!(link.get(name) instanceof Map)) link.set(name, new Map())
        const direction = link.get(name)
        if (name === "down" && link.has("rate")) {
          direction.set("rate", link.get("rate"))
          link.delete("rate")
        }
        return direction
      }

      // Makes the link one whose rate is drawn: a list of times and rates, in seconds and bit/s.
      draw(track) {
        const { uses } = this.links()
        const link = uses[0]?.link ?? new Map()
        const down = Scenario.direction(link, "down")
        for (const key of ["rate", "track", "trackEnd", "length", "random"]) down.delete(key)
        down.set("track", track.map(([at, rate]) =>
          members({ at: timeText(at), rate: rateText(rate) })))
        this.root.set("link", link)
        return this.forget()
      }

      addOutage(at, length) {
        const { uses, store } = this.links()
        const use = uses.filter(other => at >= other.at).pop() ?? uses[0]
        const { link } = use
        const events = Array.isArray(link.get("events")) ? link.get("events") : []
        link.delete("outage")
        events.push(members({
          type: "blackout", at: timeText(at - use.at), for: timeText(length),
        }))
        events.sort((a, b) => quantity(a.get("at"), "time") - quantity(b.get("at"), "time"))
        link.set("events", events)
        store()
        return this.forget()
      }

      setRoundTrip(seconds) {
        const { uses, store } = this.links()
        for (const { link } of uses) {
          for (const name of ["down", "up"]) {
            const direction = Scenario.direction(link, name)
            direction.set("delay", timeText(seconds / 2))
            const track = direction.get("track")
            if (Array.isArray(track)) {
              track.forEach(sample => { if (sample instanceof Map) sample.delete("delay") })
            }
          }
        }
        store()
        return this.forget()
      }

      setLink(name) {
        this.root.set("link", name)
        return this.forget()
      }

      // The rule and its numbers; a rule that is data or a program has no name.
      get rule() {
        const value = this.root.get("heuristic")
        if (typeof value === "string") return { name: value, numbers: new Map() }
        if (!(value instanceof Map)) return { name: "avfoundation", numbers: new Map() }
        const numbers = new Map(value)
        numbers.delete("rule")
        const name = value.get("rule")
        return { name: typeof name === "string" ? name : "", numbers }
      }

      setRule(name, numbers = new Map()) {
        this.root.set("heuristic",
          numbers.size === 0 ? name : new Map([["rule", name], ...numbers]))
        const players = this.root.get("players")
        if (Array.isArray(players)) {
          players.forEach(player => { if (player instanceof Map) player.delete("heuristic") })
        }
        return this.forget()
      }

      get media() {
        let media = this.root.get("media")
        const players = this.root.get("players")
        if (media === undefined && Array.isArray(players)) media = players[0]?.get?.("media")
        return (Array.isArray(media) ? media : [media]).filter(item => item instanceof Map)
      }

      setMedia(item, key, value) {
        this.media[item].set(key, value)
        // How large it is follows from its rate.
        if (key === "bitrate") this.media[item].delete("size")
        return this.forget()
      }

      get script() {
        const script = this.root.get("script")
        return Array.isArray(script) ? script.filter(step => step instanceof Map) : []
      }

      // Adds a step at a time; it comes after all that are done until then.
      addStep(seconds, action, more = {}) {
        const script = this.script
        const later = script.findIndex(step =>
          step.has("at") && quantity(step.get("at"), "time") > seconds)
        const step = members({ at: timeText(seconds), do: action, ...more })
        script.splice(later === -1 ? script.length : later, 0, step)
        this.root.set("script", script)
        return this.forget()
      }

      removeStep(number) {
        this.root.set("script", this.script.filter((_, place) => place !== number))
        return this.forget()
      }

      moveStep(number, value) {
        const script = this.script
        const [step] = script.splice(number, 1)
        step.set("at", value)
        const at = quantity(value, "time")
        const later = script.findIndex(other =>
          other.has("at") && quantity(other.get("at"), "time") > at)
        script.splice(later === -1 ? script.length : later, 0, step)
        this.root.set("script", script)
        return this.forget()
      }
    }

    // What a step waits for, in words.
    function triggerText(step) {
      if (step.has("at")) return ""
      for (const key of ["when", "on", "after", "every"]) {
        if (!step.has(key)) continue
        const value = step.get(key)
        const words = typeof value === "string" ? value
          : writeJSON(value, 1).replace(/["{}]/g, "").replace(/ *: */g, " ").trim()
        return `${key} ${words}`
      }
      return ""
    }

    // Sets the rate of a track between two times; all else stays as it is.
    function painted(track, from, to, rate) {
      const after = track.filter(([at]) => to >= at).pop()
      const all = [
        ...track.filter(([at]) => from > at), [from, rate],
        ...(after ? [[to, after[1]]] : []), ...track.filter(([at]) => at > to),
      ]
      return all.filter(([, value], place) => place === 0 || all[place - 1][1] !== value)
    }
    """#
}
