extension PageScript {
  /// How JSON is read and written, and how the module is called; a worker runs this part alone.
  static let engine = #"""
    "use strict"

    // Numbers of JSON keep their text: a seed may have more digits than a number here can hold.
    class NumberText {
      constructor(text) { this.text = text }
    }

    // Reads JSON into maps, arrays, strings, numbers' texts, booleans and null.
    function readJSON(text) {
      let at = 0
      const space = /[ \t\r\n]*/y, scalar = /"(?:[^"\\]|\\.)*"|-?[0-9][-+0-9.eE]*|true|false|null/y
      const skip = () => { space.lastIndex = at; space.exec(text); at = space.lastIndex }
      const fail = () => { throw new SyntaxError(`no JSON at ${at}`) }
      function token(expected) {
        skip()
        if (text[at] !== expected) return false
        at += 1
        return true
      }
      function value(depth) {
        if (depth > 512) fail()
        if (token("{")) {
          const map = new Map()
          if (token("}")) return map
          do {
            skip()
            const key = value(depth + 1)
            if (typeof key !== "string" || !token(":")) fail()
            map.set(key, value(depth + 1))
          } while (token(","))
          return token("}") ? map : fail()
        }
        if (token("[")) {
          const list = []
          if (token("]")) return list
          do list.push(value(depth + 1)); while (token(","))
          return token("]") ? list : fail()
        }
        skip()
        scalar.lastIndex = at
        const found = scalar.exec(text)
        if (!found) fail()
        at = scalar.lastIndex
        const first = found[0][0]
        return first === "-" || (first >= "0" && "9" >= first)
          ? new NumberText(found[0]) : JSON.parse(found[0])
      }
      const root = value(0)
      skip()
      return at === text.length ? root : fail()
    }

    // Writes a value: in one line where it fits, or else a member or an element a line.
    function writeJSON(value, indent = 0) {
      const inline = part =>
        part instanceof NumberText ? part.text
        : part instanceof Map
          ? part.size === 0 ? "{}"
            : `{ ${[...part].map(([k, v]) => `${JSON.stringify(k)}: ${inline(v)}`).join(", ")} }`
        : Array.isArray(part) ? `[${part.map(inline).join(", ")}]` : JSON.stringify(part)
      const line = inline(value)
      // Objects in a list stand below each other, so that they can be compared.
      const isList = Array.isArray(value) && value.length > 1 && value[0] instanceof Map
      if ((indent > 0 && !isList && 92 > line.length + indent) || !(value instanceof Object)
        || value instanceof NumberText) return line
      const pad = " ".repeat(indent + 2)
      const rows = value instanceof Map
        ? [...value].map(([k, v]) => `${pad}${JSON.stringify(k)}: ${writeJSON(v, indent + 2)}`)
        : value.map(v => pad + writeJSON(v, indent + 2))
      if (rows.length === 0) return line
      const [open, close] = value instanceof Map ? "{}" : "[]"
      return `${open}\n${rows.join(",\n")}\n${" ".repeat(indent)}${close}`
    }

    // The module, called: texts go in and come out through its memory.
    class Engine {
      constructor(module) {
        this.module = module
        this.renew()
      }

      // What was stopped in the middle cannot be asked again.
      renew() {
        this.exports = new WebAssembly.Instance(this.module, {}).exports
        this.files = null
      }

      give(...parts) {
        const bytes = parts.map(part =>
          typeof part === "string" ? new TextEncoder().encode(part) : part)
        let at = this.exports.autowait_input(bytes.reduce((sum, part) => sum + part.length, 0))
        const memory = new Uint8Array(this.exports.memory.buffer)
        for (const part of bytes) {
          memory.set(part, at)
          at += part.length
        }
        return bytes.map(part => part.length)
      }

      take() {
        const { memory, autowait_output, autowait_output_count } = this.exports
        return new TextDecoder().decode(
          new Uint8Array(memory.buffer, autowait_output(), autowait_output_count()))
      }

      // Makes some files those that a scenario can name: bytes by their paths.
      use(files) {
        if (this.files === files) return
        this.exports.autowait_clear()
        for (const path of Object.keys(files)) this.put(path, files[path])
        this.files = files
      }

      put(path, content) { this.exports.autowait_put(...this.give(path, content)) }

      // Does something with the module; what stops it becomes a message, and the module is renewed.
      guarded(body) {
        try {
          return body()
        } catch (error) {
          this.renew()
          return {
            findings: [`the simulator stopped: ${error.message}; this is a bug in autowait`],
            stopped: true,
          }
        }
      }

      view({ path, text, run = "", files }) {
        return this.guarded(() => {
          const start = performance.now()
          this.use(files)
          this.put(path, text)
          this.exports.autowait_view(...this.give(path, run))
          return { ...JSON.parse(this.take()), took: performance.now() - start }
        })
      }

      // Returns the fingerprint of the last run of a file, as the tool prints it.
      fingerprint({ path, text, files }) {
        const result = this.guarded(() => {
          this.use(files)
          this.put(path, text)
          const number = this.exports.autowait_run(...this.give(path))
          return BigInt.asUintN(64, number).toString(16).padStart(16, "0")
        })
        return typeof result === "string" ? result : result.findings[0]
      }

      begin({ path, text, files }) {
        return this.guarded(() => {
          this.use(files)
          this.put(path, text)
          this.exports.autowait_experiment(...this.give(path))
          return JSON.parse(this.take())
        })
      }

      // Runs sessions for some milliseconds; returns what they came to, and whether there are more.
      advance(milliseconds) {
        return this.guarded(() => {
          const end = performance.now() + milliseconds
          let more = 1
          while (more === 1 && end > performance.now()) more = this.exports.autowait_advance(1)
          return { ...JSON.parse(this.take()), more: more === 1 }
        })
      }
    }

    // What a worker does: each message names a task, and is answered under its number.
    function work(scope, module) {
      const engine = new Engine(module)
      let current = null
      function go(id) {
        if (current !== id) return
        const result = engine.advance(60)
        scope.postMessage({ id, result })
        if (result.more) setTimeout(() => go(id), 0)
      }
      scope.onmessage = ({ data }) => {
        const { id, task, input } = data
        if (task === "stop") current = null
        else if (task === "experiment") {
          const result = engine.begin(input)
          scope.postMessage({ id, result: { ...result, more: Boolean(result.contestants) } })
          current = id
          if (result.contestants) setTimeout(() => go(id), 0)
        } else scope.postMessage({ id, result: engine[task](input) })
      }
    }
    """#
}
