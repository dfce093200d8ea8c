// Runs scenarios through the functions that a page calls, and holds their fingerprints against
// those of the tool: web.mjs MODULE TOOL LIST
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

const [module, tool, list] = process.argv.slice(2)
const compiled = new WebAssembly.Module(fs.readFileSync(module))
const hexadecimal = number => BigInt.asUintN(64, number).toString(16).padStart(16, '0')

function session() {
  const { exports } = new WebAssembly.Instance(compiled, {})
  const give = (...parts) => {
    const bytes = Buffer.concat(parts)
    const place = exports.autowait_input(bytes.length)
    new Uint8Array(exports.memory.buffer, place, bytes.length).set(bytes)
  }
  const put = path => {
    const [name, text] = [Buffer.from(path), fs.readFileSync(path)]
    give(name, text)
    exports.autowait_put(name.length, text.length)
  }
  const run = path => {
    const name = Buffer.from(path)
    give(name)
    return exports.autowait_run(name.length)
  }
  const missing = () => {
    exports.autowait_missing()
    const text = new Uint8Array(
      exports.memory.buffer, exports.autowait_output(), exports.autowait_output_count())
    return Buffer.from(text).toString().split('\n').filter(path => fs.existsSync(path))
  }
  return { put, run, missing }
}

let [equal, other] = [0, 0]
const { put, run, missing } = session()
for (const path of fs.readFileSync(list, 'utf8').trim().split('\n')) {
  const expected = path.replace(/\.json$/, '.expected.log')
  if (!fs.existsSync(expected)) continue
  put(path)
  let fingerprint = run(path)
  for (let paths = missing(); paths.length > 0; paths = missing()) {
    paths.forEach(put)
    fingerprint = run(path)
  }
  if (fingerprint === 0n) continue
  const native = JSON.parse(fs.readFileSync(expected, 'utf8').trim().split('\n').at(-1)).fingerprint
  if (native === hexadecimal(fingerprint)) equal += 1
  else console.log(`differs ${path}: ${native}, ${hexadecimal(fingerprint)}`), other += 1
}
console.log(`${equal} scenarios give equal fingerprints in node ${process.version}`)
process.exit(other === 0 ? 0 : 1)
