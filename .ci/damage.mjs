// Feeds damaged texts to the functions that a page calls, on its small stack: each must come to an
// end with a message or a result, and none may stop the module: damage.mjs MODULE COUNT FILE…
import fs from 'node:fs'

const [module, count, ...paths] = process.argv.slice(2)
const compiled = new WebAssembly.Module(fs.readFileSync(module))
let exports
const renew = () => ({ exports } = new WebAssembly.Instance(compiled, {}))
renew()

// The same damage each time.
let state = 7
function draw(bound) {
  state = (state * 48271) % 2147483647
  return state % bound
}

function give(...parts) {
  const bytes = Buffer.concat(parts)
  const place = exports.autowait_input(bytes.length)
  new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes)
}

const name = Buffer.from('a.json')

// Returns what the page would show of a text; what stops the module is an error of its own.
function view(text) {
  give(name, text)
  exports.autowait_put(name.length, text.length)
  give(name)
  exports.autowait_view(name.length, 0)
  const output = Buffer.from(exports.memory.buffer, exports.autowait_output(),
    exports.autowait_output_count()).toString()
  const parsed = JSON.parse(output)
  give(name)
  exports.autowait_experiment(name.length)
  return parsed
}

const open = ['{"a":', '[', '{"link":{"use":', '{"vary":[', '{"extends":', '{"media":[{"a":',
  '{"heuristic":{"rule":{"all":[', '{"script":[{"when":{"all":[', '{"experiment":1,"base":']
const deep = open.flatMap(part => [1, 10, 100, 500, 511, 512, 513, 5000, 200000].flatMap(times => [
  part.repeat(times), part.repeat(times) + '1' + (part.startsWith('{"a') ? '}' : ']').repeat(times),
]))
// Rules and links that nest as deep as they may, with all that they need.
for (const times of [100, 240, 500]) {
  const base = '"media":{"kind":"local","duration":"1 s"},"script":[{"at":0,"do":"play"}]'
  const link = `${'{"use":'.repeat(times)}"demo/fast"${'}'.repeat(times)}`
  deep.push(`{"autowait":1,${base},"link":${link}}`)
  for (const word of ['all', 'any', 'not']) {
    const [left, right] = word === 'not' ? ['', ''] : ['[', ']']
    deep.push(`{"autowait":1,${base},"link":"demo/fast","heuristic":{"rule":{"start":${
      `{"${word}":${left}`.repeat(times / 2)}{"ahead":"1 s"}${`${right}}`.repeat(times / 2)}}}}`)
  }
}

const texts = paths.map(path => fs.readFileSync(path))
function damaged() {
  const text = Buffer.from(texts[draw(texts.length)])
  for (let edits = 1 + draw(4); edits > 0; edits -= 1) {
    const place = draw(text.length)
    switch (draw(4)) {
      case 0: text[place] = draw(256); break
      case 1: text[place] = '{}[]",:0123456789-.eE'.charCodeAt(draw(21)); break
      case 2: text.copyWithin(place, draw(text.length)); break
      default: return text.subarray(0, place)
    }
  }
  return text
}

let [failures, messages, runs] = [0, 0, 0]
function judge(text) {
  try {
    const result = view(text)
    if (result.title !== undefined) runs += 1
    else if ((result.findings ?? []).length > 0) messages += 1
    else throw new Error('neither a run nor a message')
  } catch (error) {
    failures += 1
    console.log(`${error.message}: ${JSON.stringify(text.subarray(0, 300).toString())}`)
    renew()
  }
}
for (const text of deep) judge(Buffer.from(text))
for (let number = 0; number < Number(count); number += 1) judge(damaged())
console.log(`${messages} damaged texts have a message, ${runs} run all the same, `
  + `${failures} stop the module`)
process.exit(failures === 0 ? 0 : 1)
