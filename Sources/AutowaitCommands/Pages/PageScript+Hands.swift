extension PageScript {
  /// What pointers and keys do.
  static let hands = #"""
    // Pointers and keys: what a person draws, taps and steps.

    function clampCursor(at) { return Math.min(Math.max(0, at), tab.shown?.[2] ?? at) }

    function moveCursor(at) {
      tab.cursor = Math.round(clampCursor(at) / 1000) * 1000
      const [from, to] = tab.shown
      if (from > tab.cursor || tab.cursor > to) tab.pan = tab.cursor - (to - from) / 2
      drawPicture()
      drawReading()
      markStory()
    }

    function markStory() {
      byId("story").querySelectorAll(".scroll").forEach((list, place) => {
        const lines = sides()[place]?.view.lines ?? []
        const now = lines.slice(0, 200).filter(line => tab.cursor >= line.at).length - 1
        list.querySelectorAll("tr").forEach((row, number) => {
          row.className = number === now ? "is-now" : ""
          if (number === now && tab.isWatching) row.scrollIntoView({ block: "nearest" })
        })
      })
    }

    // The rates of the link as they may be drawn on: in seconds and bit/s.
    function trackOf(view) {
      const { link } = view
      const isWhole = link.isDrawable && link.changeCount === 0
      const samples = isWhole ? link.track : link.rates
      const track = []
      for (let i = 0; samples.length > i; i += 2) {
        const last = track[track.length - 1]
        const at = Math.round(samples[i] / 1e6) / 1e3
        if (last?.[1] === samples[i + 1]) continue
        if (last?.[0] === at) last[1] = samples[i + 1]
        else track.push([at, samples[i + 1]])
      }
      if (track.length > 0) track[0][0] = 0
      return track
    }

    // Times snap to a grid that is as fine as a finger, and rates to a hundredth of the scale.
    function grid() {
      const [from, to] = tab.shown
      return roundUp((to - from) / nano / 160)
    }

    const snappedRate = rate => {
      const step = tab.scale / 100
      return Math.max(0, Math.round(rate / step) * step)
    }

    let drawn = null
    let pending = null

    // Draws from one place of the lane to another.
    function drawTo(x, y) {
      const step = grid()
      const at = Math.floor(picture.at(x) / nano / step)
      const rate = snappedRate(picture.rateAt(y))
      const before = drawn.last ?? { at, rate }
      const count = Math.abs(at - before.at)
      for (let i = count === 0 ? 0 : 1; count >= i; i += 1) {
        const place = before.at + Math.sign(at - before.at) * i
        const part = count === 0 ? 1 : i / count
        const value = snappedRate(before.rate + (rate - before.rate) * part)
        drawn.track = painted(drawn.track, place * step, (place + 1) * step, value)
      }
      drawn.last = { at, rate }
      tab.cursor = Math.max(0, (at + 0.5) * step * nano)
    }

    function onFrame() {
      pending = null
      if (drawn) change(model => model.draw(drawn.track), { isGesture: true })
    }

    function whenFrame() { pending ??= requestAnimationFrame(onFrame) }

    function isInLink(y) {
      const { top, height } = picture.linkLane
      return y >= top - 4 && top + height + 4 >= y
    }

    const frame = byId("frame")

    function place(event) {
      const box = byId("picture").getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }

    frame.addEventListener("pointerdown", event => {
      if (!tab.view.link || event.button > 0) return
      const [x, y] = place(event)
      frame.setPointerCapture(event.pointerId)
      frame.focus({ preventScroll: true })
      if (isInLink(y) && x >= picture.left - 6) {
        drawn = { track: trackOf(tab.view), last: null }
        isDrawing = true
        drawTo(x, y)
        tab.inGesture = false
        change(model => model.draw(drawn.track), { isGesture: true })
      } else {
        drawn = null
        frame.dataset.moves = "1"
        moveCursor(picture.at(x))
      }
    })

    frame.addEventListener("pointermove", event => {
      const [x, y] = place(event)
      if (!drawn) {
        if (frame.dataset.moves && event.buttons > 0) moveCursor(picture.at(x))
        return
      }
      // What a quick finger passed between two frames is drawn, too.
      for (const one of event.getCoalescedEvents?.() ?? []) drawTo(...place(one))
      drawTo(x, y)
      whenFrame()
    })

    function release() {
      delete frame.dataset.moves
      if (!drawn) return
      onFrame()
      drawn = null
      isDrawing = false
      tab.inGesture = false
      show()
      fillControls()
    }

    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, release)

    // A finger that begins in the lane of the link draws; elsewhere the page may scroll.
    frame.addEventListener("touchstart", event => {
      const box = byId("picture").getBoundingClientRect()
      if (isInLink(event.touches[0].clientY - box.top)) event.preventDefault()
    }, { passive: false })

    // MARK: Steps

    function addStep(action, more) {
      changeAndFill(model => model.addStep(tab.cursor / nano, action, more))
    }

    const actions = {
      play: () => addStep("play"),
      playImmediately: () => addStep("playImmediately"),
      pause: () => addStep("pause"),
      seek: () => addStep("seek", { to: typed(byId("seek").value) }),
      outage: () => changeAndFill(model => model.addOutage(
        tab.cursor / nano, quantity(typed(byId("outage-length").value), "time") || 5)),
      undo: () => {
        const last = tab.past.pop()
        if (last === undefined) return
        tab.inGesture = false
        tab.text = last
        byId("json").value = last
        simulate()
        show()
        fillControls()
        remember()
      },
      reset: () => {
        tab.inGesture = false
        setText(tab.original)
        fitScale()
        show()
        fillControls()
      },
    }

    // The rate of the link where the cursor is, up or down by some hundredths of the scale.
    function turnRate(steps) {
      const step = grid()
      const place = Math.floor(tab.cursor / nano / step)
      const track = trackOf(tab.view)
      const now = track.filter(([at]) => (place + 0.5) * step >= at).pop()?.[1] ?? 0
      const rate = snappedRate(Math.min(now, tab.scale) + steps * tab.scale / 100)
      const wide = Math.max(step, 10 * step)
      tab.inGesture = false
      changeAndFill(model =>
        model.draw(painted(track, place * step, place * step + wide, rate)))
    }

    function nextEvent(direction) {
      const times = sides().flatMap(({ view }) => (view.lines ?? []).map(line => line.at))
        .sort((a, b) => a - b)
      const found = direction > 0 ? times.find(at => at > tab.cursor + 999)
        : times.filter(at => tab.cursor - 999 > at).pop()
      if (found !== undefined) moveCursor(found)
    }

    function zoom(factor) {
      const [from, to] = tab.shown
      if (factor === 0) [tab.zoom, tab.pan] = [1, 0]
      else {
        tab.zoom = Math.min(1000, Math.max(1, tab.zoom * factor))
        const length = (to - from) / factor
        tab.pan = Math.max(0, tab.cursor - (tab.cursor - from) / (to - from) * length)
      }
      show()
    }

    const keys = [
      ["?", "this list", () => showKeys()],
      ["ArrowLeft", "the cursor back; with Shift ten times as far", event => nudge(-1, event)],
      ["ArrowRight", "the cursor on", event => nudge(1, event)],
      ["ArrowUp", "the link faster, where the cursor is",
        event => turnRate(event.shiftKey ? 10 : 2)],
      ["ArrowDown", "the link slower", event => turnRate(event.shiftKey ? -10 : -2)],
      ["[", "the event before", () => nextEvent(-1)],
      ["]", "the next event", () => nextEvent(1)],
      ["Home", "the beginning", () => moveCursor(0)],
      ["End", "the end", () => moveCursor(tab.shown[2])],
      [" ", "watch it, or hold", () => watch()],
      ["p", "play", actions.play],
      ["i", "playImmediately", actions.playImmediately],
      ["x", "pause", actions.pause],
      ["s", "seek", actions.seek],
      ["o", "an outage", actions.outage],
      ["u", "undo", actions.undo],
      ["c", "copy the JSON", () => copyText(tab.text, "The JSON is copied.")],
      ["+", "closer", () => zoom(2)],
      ["-", "wider", () => zoom(0.5)],
      ["0", "the whole run", () => zoom(0)],
    ]

    function nudge(direction, event) {
      const [from, to] = tab.shown
      moveCursor(tab.cursor + direction * (to - from) / (event.shiftKey ? 20 : 200))
    }

    document.addEventListener("keydown", event => {
      const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
      const isPressed = event.target.tagName === "BUTTON" && [" ", "Enter"].includes(event.key)
      if (isField || isPressed || event.ctrlKey || event.metaKey || event.altKey) return
      if (byId("sheet").open || (tab.kind !== "scenario" && event.key !== "?")) return
      const found = keys.find(([key]) => key === event.key)
      const scrolls = /^(Arrow|Home|End| )/.test(event.key) && document.activeElement !== frame
      if (!found || (scrolls && document.activeElement !== document.body)) return
      event.preventDefault()
      found[2](event)
    })

    function showKeys() {
      byId("sheet-body").replaceChildren(element("h2", {}, "Keys"), element("table", {},
        element("tbody", {}, ...keys.map(([key, words]) => element("tr", {},
          element("td", {}, element("kbd", {}, key === " " ? "Space" : key.replace("Arrow", ""))),
          element("td", {}, words))))))
      byId("sheet").showModal()
    }

    // MARK: Watching

    // Moves the cursor with the time of a clock, as if the run went on now.
    function watch() {
      tab.isWatching = !tab.isWatching
      byId("watch").setAttribute("aria-pressed", String(tab.isWatching))
      if (!tab.isWatching) return
      if (tab.cursor >= tab.shown[2]) tab.cursor = 0
      const own = tab
      let last = performance.now()
      const tick = now => {
        if (!own.isWatching || own !== tab) return
        const next = tab.cursor + (now - last) * 1e6 * Number(byId("pace").value)
        last = now
        if (next >= tab.shown[2]) stopWatching()
        moveCursor(next)
        if (own.isWatching) requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
    }

    function stopWatching() {
      if (!tab) return
      tab.isWatching = false
      byId("watch").setAttribute("aria-pressed", "false")
    }
    """#
}
