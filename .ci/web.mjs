// Runs scenarios through the functions that a page calls, and holds their fingerprints against
// those of a list, which has a path and a number in each line: web.mjs MODULE LIST
import fs from 'node:fs'

const [module, list] = process.argv.slice(2)
const compiled = new WebAssembly.Module(fs.readFileSync(module))

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
let { put, run, missing } = session()
for (const line of fs.readFileSync(list, 'utf8').trim().split('\n')) {
  const [path, native] = line.split(' ')
  let result
  try {
    put(path)
    result = run(path)
    for (let paths = missing(); paths.length > 0; paths = missing()) {
      paths.forEach(put)
      result = run(path)
    }
  } catch (trap) {
    result = trap;  // what stopped in the middle is not asked again
    ({ put, run, missing } = session())
  }
  if (typeof result === 'bigint' && BigInt.asUintN(64, result) === BigInt(native)) equal += 1
  else console.log(`differs ${path}: ${native}, ${result}`), other += 1
}
console.log(`${equal} runs have equal fingerprints in node ${process.version}`)
process.exit(other === 0 ? 0 : 1)
