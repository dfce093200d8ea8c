extension PageScript {
  /// How a run is drawn.
  static let picture = #"""
    // The picture: a lane for the link, in which its rate is drawn, and lanes for each player.

    const nano = 1e9
    const bareTime = ns => {
      const seconds = ns / nano
      return plain(seconds, seconds >= 100 ? 1 : seconds >= 10 ? 2 : 3)
    }
    const shownTime = ns => `${bareTime(ns)} s`

    function shownRate(bits) {
      if (bits >= 1e11) return "unlimited"
      const [unit, size] = bits >= 1e9 ? ["Gbit/s", 1e9] : bits >= 1e6 ? ["Mbit/s", 1e6]
        : bits >= 1e3 ? ["kbit/s", 1e3] : ["bit/s", 1]
      return `${plain(bits / size, bits / size >= 100 ? 0 : 2)} ${unit}`
    }

    // Returns the least round number that is not below another.
    function roundUp(value) {
      const power = 10 ** Math.floor(Math.log10(value))
      return [1, 2, 5, 10].map(step => step * power).find(step => step >= value * 0.999999)
    }

    // Calls back with each stretch of a row of samples: its value and where it begins and ends.
    function stretches(samples, end, body) {
      for (let i = 0; samples.length > i; i += 2) {
        const next = samples.length > i + 2 ? samples[i + 2] : Math.max(end, samples[i])
        if (samples[i + 1] !== null) body(samples[i], next, samples[i + 1], samples[i + 3])
      }
    }

    // Returns the value of samples at an instant; between two it changes evenly if it slopes.
    function valueAt(samples, at, slopes = false) {
      let found = null
      for (let i = 0; samples.length > i && at >= samples[i]; i += 2) {
        found = samples[i + 1]
        const [next, value] = [samples[i + 2], samples[i + 3]]
        if (slopes && found !== null && next > at && value != null) {
          found += (value - found) * (at - samples[i]) / (next - samples[i])
        }
      }
      return found
    }

    class Picture {
      constructor(canvas) {
        this.canvas = canvas
        this.context = canvas.getContext("2d")
        this.lanes = []
      }

      get isNarrow() { return 640 > this.width }

      // Reads the colours that the page has now.
      readColors() {
        const style = getComputedStyle(document.documentElement)
        this.color = name => style.getPropertyValue(`--${name}`).trim() || "#888888"
        const known = {}
        const read = this.color
        this.color = name => known[name] ??= read(name)
      }

      x(at) { return this.left + (at - this.from) / (this.to - this.from) * this.room }
      at(x) {
        const part = Math.min(1, Math.max(0, (x - this.left) / this.room))
        return this.from + part * (this.to - this.from)
      }
      rateAt(y) {
        const { top, height } = this.linkLane
        const part = Math.min(1, Math.max(0, (top + height - y) / height))
        return part * this.scale
      }
      rateY(rate) {
        const { top, height } = this.linkLane
        return top + height - Math.min(1.02, rate / this.scale) * height
      }

      // Lays the lanes out and draws them: sides have a name and the view of a run.
      draw({ sides, from, to, scale, cursor, isDrawing }) {
        this.readColors()
        Object.assign(this, { from, to, scale, sides })
        const ratio = window.devicePixelRatio || 1
        this.width = this.canvas.clientWidth
        this.left = this.isNarrow ? 8 : 112
        this.room = this.width - this.left - 12
        const height = this.layOut(sides)
        if (this.canvas.style.height !== `${height}px`) this.canvas.style.height = `${height}px`
        const [w, h] = [Math.round(this.width * ratio), Math.round(height * ratio)]
        if (this.canvas.width !== w || this.canvas.height !== h) {
          this.canvas.width = w
          this.canvas.height = h
        }
        const pen = this.context
        pen.setTransform(ratio, 0, 0, ratio, 0, 0)
        pen.clearRect(0, 0, this.width, height)
        pen.textBaseline = "middle"
        this.height = height
        this.drawAxis()
        this.drawLink(sides, isDrawing)
        for (const lane of this.lanes) this.drawPlayer(lane)
        if (cursor !== null) this.drawCursor(cursor)
      }

      layOut(sides) {
        let y = this.isNarrow ? 34 : 26
        this.linkLane = { top: y, height: this.isNarrow ? 110 : 128 }
        y += this.linkLane.height + 8
        this.lanes = []
        for (const [side, { view, name }] of sides.entries()) {
          for (const player of view.players ?? []) {
            const rungs = Math.min(8, Math.max(1, player.levels.length))
            const lane = {
              player, side, view, top: y,
              name: [sides.length > 1 ? name : "", view.players.length > 1 ? player.name : ""]
                .filter(Boolean).join(": "),
            }
            y += 20
            lane.states = { top: y, height: 24 }
            y += 32
            if (this.isNarrow) y += 14
            lane.ahead = { top: y, height: 56 }
            y += 62
            if (this.isNarrow) y += 14
            lane.requests = { top: y, height: player.levels.length > 1 ? rungs * 13 : 18 }
            y += lane.requests.height + 16
            this.lanes.push(lane)
          }
        }
        return y
      }

      text(words, x, y, look = {}) {
        const { color = "ink", align = "left", size = 12, weight = 400, room = 1e4 } = look
        const pen = this.context
        pen.font = `${weight} ${size}px system-ui, sans-serif`
        if (pen.measureText(words).width > room) return false
        pen.textAlign = align
        pen.fillStyle = this.color(color)
        pen.fillText(words, x, y)
        return true
      }

      laneName(words, top, height) {
        if (this.isNarrow) this.text(words, this.left, top - 7, { color: "muted", size: 11 })
        else this.text(words, 4, top + height / 2, { color: "muted" })
      }

      box(name, from, to, top, height, alpha = 1) {
        const [start, end] = [Math.max(from, this.from), Math.min(to, this.to)]
        if (start > end) return
        const pen = this.context
        pen.globalAlpha = alpha
        pen.fillStyle = this.color(name)
        pen.fillRect(this.x(start), top, Math.max(1, this.x(end) - this.x(start)), height)
        pen.globalAlpha = 1
      }

      line(color, points, { width = 1, dash = [] } = {}) {
        const pen = this.context
        pen.save()
        pen.beginPath()
        pen.rect(this.left, 0, this.room, this.height)
        pen.clip()
        pen.beginPath()
        points.forEach(([x, y], place) => place === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y))
        pen.strokeStyle = this.color(color)
        pen.lineWidth = width
        pen.setLineDash(dash)
        pen.stroke()
        pen.restore()
      }

      drawAxis() {
        const span = (this.to - this.from) / nano
        const step = roundUp(span / Math.max(3, Math.floor(this.room / 90)))
        const top = this.isNarrow ? 8 : 10
        for (let count = Math.ceil(this.from / nano / step); ; count += 1) {
          const at = count * step * nano
          if (at > this.to * 1.0001) break
          const x = Math.round(this.x(at)) + 0.5
          this.line("grid", [[x, top + 8], [x, this.height]])
          const inside = Math.min(Math.max(x, this.left + 12), this.left + this.room - 14)
          this.text(shownTime(at), inside, top, { color: "muted", align: "center", size: 11 })
        }
      }

      drawLink(sides, isDrawing) {
        const { top, height } = this.linkLane
        const view = sides[0].view
        this.box("field", this.from, this.to, top, height)
        this.laneName("link", top, 20)
        if (!this.isNarrow) this.text("drag to draw", 4, top + 30, { color: "muted", size: 11 })
        for (const part of [1, 0.5]) {
          const y = Math.round(top + height * (1 - part)) + 0.5
          this.line("grid", [[this.left, y], [this.left + this.room, y]])
        }
        if (!view.link) return
        const end = Math.max(view.end, this.to)
        stretches(view.link.rates, end, (from, to, rate) => {
          const y = this.rateY(rate)
          this.box("buffer", from, to, y, top + height - y, 0.75)
          if (this.to > from) {
            const right = this.x(Math.min(to, this.to))
            this.line("edge", [[this.x(from), y], [right, y]], { width: 1.5 })
          }
        })
        for (let i = 0; view.link.outages.length > i; i += 2) {
          this.box("stalled", view.link.outages[i], view.link.outages[i + 1], top + height - 5, 5)
        }
        for (const { view } of sides) {
          for (const player of view.players ?? []) {
            const points = []
            stretches(player.fill, view.end, (from, to, rate) => {
              points.push([this.x(from), this.rateY(rate)], [this.x(to), this.rateY(rate)])
            })
            this.line(view === sides[0].view ? "c1" : "c3", points, { width: 1.6 })
            const need = []
            stretches(player.need, view.end, (from, to, rate) => {
              need.push([this.x(from), this.rateY(rate)], [this.x(to), this.rateY(rate)])
            })
            this.line("ink", need, { width: 1.2, dash: [4, 3] })
          }
        }
        const x = this.left + this.room - 4
        this.text(shownRate(this.scale), x, top + 8, { align: "right", size: 11 })
        this.text(shownRate(this.scale / 2), x, top + height / 2 + 8,
          { align: "right", size: 11 })
        if (isDrawing) this.line("edge", [
          [this.left, top], [this.left + this.room, top], [this.left + this.room, top + height],
          [this.left, top + height], [this.left, top],
        ], { width: 2 })
      }

      drawPlayer(lane) {
        const { player, view } = lane
        const end = view.end
        const answer = (view.answers ?? []).length > 1
          ? view.answers[view.players.indexOf(player)] : view.answers?.[0] ?? ""
        const shown = answer.replace(/^[^:]*: /, "")
        this.text(lane.name || "player", this.isNarrow ? this.left : 4, lane.top + 8,
          { weight: 600, size: 13 })
        if (!this.isNarrow || !lane.name) {
          this.text(shown, this.isNarrow ? this.left + 56 : this.left, lane.top + 8,
            { color: player.stalls > 0 ? "alarm" : "ink", size: 12.5, room: this.room - 56 })
        }
        this.drawStates(lane)
        this.drawAhead(lane, end)
        this.drawRequests(lane)
      }

      drawStates({ player, states: { top, height } }) {
        if (!this.isNarrow) this.laneName("state", top, height)
        for (const state of player.states) {
          this.box(state.kind === "paused" ? "idle" : state.kind, state.from, state.to, top, height)
          const [from, to] = [Math.max(state.from, this.from), Math.min(state.to, this.to)]
          const room = this.x(to) - this.x(from) - 6
          const isDark = ["waiting", "evaluating"].includes(state.kind)
          const color = isDark ? "black" : ["playing", "stalled"].includes(state.kind)
            ? "white" : "ink"
          if (room > 20) {
            const fixed = { black: "#14181e", white: "#ffffff" }[color]
            if (fixed) this.fixed = fixed
            this.word(state.text, (this.x(from) + this.x(to)) / 2, top + height / 2 + 1, room,
              fixed ?? this.color("ink"))
          }
        }
        for (const mark of player.marks) {
          if (this.from > mark.at || mark.at > this.to) continue
          const [x, y] = [this.x(mark.at), top - 3]
          const pen = this.context
          pen.fillStyle = this.color(mark.kind === "failure" ? "alarm" : "ink")
          pen.beginPath()
          if (mark.kind === "tap") {
            pen.moveTo(x, top + 5)
            pen.lineTo(x - 5, y - 3)
            pen.lineTo(x + 5, y - 3)
          } else pen.rect(x - 1.5, y - 2, 3, height + 8)
          pen.fill()
        }
      }

      word(words, x, y, room, color) {
        const pen = this.context
        pen.font = "12px system-ui, sans-serif"
        if (pen.measureText(words).width > room) return
        pen.textAlign = "center"
        pen.fillStyle = color
        pen.fillText(words, x, y)
      }

      drawAhead({ player, ahead: { top, height } }, end) {
        this.laneName("media ahead", top, height)
        let most = 0
        for (let i = 1; player.ahead.length > i; i += 2) most = Math.max(most, player.ahead[i] ?? 0)
        const scale = Math.max(1e9, most * 1.05)
        const y = value => top + height - Math.min(1, value / scale) * height
        this.box("field", this.from, this.to, top, height)
        const pen = this.context
        pen.save()
        pen.beginPath()
        pen.rect(this.left, top - 1, this.room, height + 2)
        pen.clip()
        pen.beginPath()
        pen.moveTo(this.x(0), top + height)
        let last = 0
        for (let i = 0; player.ahead.length > i; i += 2) {
          const value = player.ahead[i + 1] ?? 0
          last = player.ahead[i]
          pen.lineTo(this.x(last), y(value))
        }
        pen.lineTo(this.x(last), top + height)
        pen.fillStyle = this.color("buffer")
        pen.fill()
        pen.strokeStyle = this.color("edge")
        pen.lineWidth = 1.2
        pen.stroke()
        pen.restore()
        stretches(player.limits, end, (from, to, value) => {
          if (scale > value) {
            this.line("edge", [[this.x(from), y(value)], [this.x(to), y(value)]], { dash: [5, 3] })
          }
        })
        this.text(shownTime(most), this.left + this.room - 4, top + 8,
          { align: "right", size: 11 })
      }

      drawRequests({ player, requests: { top, height } }) {
        const rungs = Math.min(8, player.levels.length)
        if (rungs > 1 && !this.isNarrow) {
          player.levels.slice(0, rungs).forEach((name, level) => {
            const y = top + height - (level + 0.5) * height / rungs
            this.text(name, 4, y, { color: "muted", size: 11, room: this.left - 8 })
          })
        } else this.laneName("requests", top, height)
        this.box("field", this.from, this.to, top, height)
        const row = rungs > 1 ? height / rungs : height
        const place = level => rungs > 1
          ? top + height - (Math.min(level ?? 0, rungs - 1) + 1) * row + 1 : top + 1
        for (const request of player.requests) {
          const color = ["given up", "failed"].includes(request.outcome) ? "stalled" : "neutral"
          const y = place(request.level)
          const media = request.response ?? request.to
          this.box(color, request.from, media, y + row / 2 - 1.5, 2, 0.8)
          this.box(color, media, request.to, y + 1, row - 4, 0.8)
          if (request.to > request.from) this.box("paper", request.to, request.to, y, row - 2)
        }
        for (let i = 0; player.plays.length > i; i += 3) {
          const [from, to, rung] = player.plays.slice(i, i + 3)
          this.box("playing", from, to, place(rung) + row - 4, 3)
        }
        if (rungs > 1 && this.isNarrow) {
          player.levels.slice(0, rungs).forEach((name, level) => {
            this.text(name, this.left + this.room - 4, place(level) + row / 2 - 1,
              { align: "right", size: 10 })
          })
        }
      }

      drawCursor(at) {
        if (this.from > at || at > this.to) return
        const x = Math.round(this.x(at)) + 0.5
        this.line("alarm", [[x, 16], [x, this.height]], { width: 1.5 })
        const words = shownTime(at)
        const pen = this.context
        pen.font = "600 12px system-ui, sans-serif"
        const width = pen.measureText(words).width + 10
        const left = Math.min(Math.max(x - width / 2, 0), this.width - width)
        pen.fillStyle = this.color("alarm")
        pen.fillRect(left, 0, width, 18)
        pen.textAlign = "center"
        pen.fillStyle = this.color("paper")
        pen.fillText(words, left + width / 2, 9.5)
      }
    }
    """#
}
