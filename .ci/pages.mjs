// Opens pages of runs in headless Chromium, moves their cursors by links and by keys, and holds
// what they show against what the tool prints: pages.mjs TOOL TIMES SCENARIO…
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const [tool, times, ...scenarios] = process.argv.slice(2)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pages-'))

// Talks with a browser through pipes: no network, and no library.
async function browser() {
  const child = spawn('chromium', [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
    `--user-data-dir=${folder}/profile`, 'about:blank',
  ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const waiting = new Map(), errors = []
  let [count, text, loaded] = [0, '', () => {}]
  child.stdio[4].on('data', data => {
    text += data
    for (let end; (end = text.indexOf('\0')) >= 0; text = text.slice(end + 1)) {
      const message = JSON.parse(text.slice(0, end))
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
      if (message.method === 'Page.loadEventFired') loaded()
      if (message.method === 'Runtime.exceptionThrown') errors.push(JSON.stringify(message.params))
    }
  })
  let sessionId
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    count += 1
    waiting.set(count, message =>
      message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result))
    child.stdio[3].write(JSON.stringify({ id: count, method, params, sessionId }) + '\0')
  })
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  sessionId = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId
  await send('Page.enable')
  await send('Runtime.enable')
  const open = async url => {
    const done = new Promise(resolve => { loaded = resolve })
    await send('Page.navigate', { url })
    await done
  }
  const read = async expression =>
    (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  const press = async key => {
    await send('Input.dispatchKeyEvent', { type: 'keyDown', key })
    await send('Input.dispatchKeyEvent', { type: 'keyUp', key })
  }
  const close = () => new Promise(resolve => {
    child.on('exit', resolve)
    sessionId = undefined
    send('Browser.close')
  })
  return { open, read, press, errors, close }
}

// What goes wrong in a scenario may be what it is about.
function call(...words) {
  const options = { stdio: ['ignore', 'pipe', 'ignore'] }
  try {
    return execFileSync(tool, ['run', '--allow-programs', ...words], options).toString()
  } catch (failure) {
    return failure.stdout.toString()
  }
}

let failures = 0
let shown = 0
function check(name, found, wanted) {
  if (found === wanted) return
  failures += 1
  console.log(`${name}: the page shows '${found}', and the tool prints '${wanted}'`)
}

const page = path.join(folder, 'page.html')
const { open, read, press, errors, close } = await browser()
const cursor = () => read('document.querySelector(".p-at output").textContent')
const rows = () => read(`[...document.querySelectorAll(".p-at tbody tr")].map(row =>
  [...row.children].map(cell => cell.textContent))`)
const plain = text => text.replace(/\u00a0/g, ' ')

for (const scenario of scenarios) {
  call(scenario, '--html', page)
  const source = /class="p-data">([^<]*)</.exec(fs.readFileSync(page, 'utf8'))[1]
  let sum = 0
  const instants = JSON.parse(source).instants.map(step => (sum += step))
  for (let number = 0; number < Number(times); number += 1) {
    const instant = instants[(number * 7919 + 13) % instants.length]
    const time = `${Math.floor(instant / 1e9)}.${String(instant % 1e9).padStart(9, '0')}`
    await open('about:blank')
    await open(`file://${page}#at=${time}`)
    const printed = plain(call(scenario, '--at', time, '--width', '400')).split('\n')
    const start = printed.findIndex(line => line.startsWith('at '))
    check(`${scenario} at ${time}`, await cursor(), printed[start].trim())
    for (const [name, ...cells] of await rows()) {
      const line = printed.slice(start + 1).find(line => line.trim().startsWith(name + ' ')) ?? ''
      const wanted = line.trim().slice(name.length).trim().split(/ {2,}/).join('|')
      check(`${scenario} at ${time}, ${name}`, plain(cells.join('|')), wanted)
    }
    shown += 1
  }
  // Keys go from change to change, and to the ends.
  await read('document.querySelector(".p-run .p-figure").focus()')
  await press('End')
  const end = await cursor()
  await press('Home')
  check(scenario, await cursor(), 'at 0 s')
  // The data says where words change, and each of these places is a stop.
  const changes = new Set([0, instants.length - 1])
  for (const row of JSON.parse(source).players.flatMap(player => player.rows)) {
    let place = 0
    for (let i = 0; i < (row.changes?.length ?? 0); i += 2) changes.add(place += row.changes[i])
  }
  let [last, stops] = ['', 0]
  for (let now = await cursor(); now !== last && stops < 200; stops += 1) {
    last = now
    await press('ArrowRight')
    now = await cursor()
  }
  check(`${scenario}, stops`, stops, Math.min(changes.size, 200))
  if (stops < 200) check(`${scenario}, the last stop`, last, end)
}

// Of two runs on one page the cursors go together, each over its own run.
for (const pair of scenarios.slice(1).map((other, at) => [scenarios[at], other])) {
  call(...pair, '--html', page)
  const sources = [...fs.readFileSync(page, 'utf8').matchAll(/class="p-data">([^<]*)</g)]
  const instants = sources.map(source => {
    let sum = 0
    return JSON.parse(source[1]).instants.map(step => (sum += step))
  })
  const panels = () => read(`[...document.querySelectorAll(".p-at")].map(panel => [
    panel.querySelector("output").textContent,
    [...panel.querySelectorAll("tbody tr")].map(row =>
      [...row.children].map(cell => cell.textContent))])`)
  for (let number = 0; number < Number(times); number += 1) {
    const instant = instants[0][(number * 104729 + 31) % instants[0].length]
    const time = `${Math.floor(instant / 1e9)}.${String(instant % 1e9).padStart(9, '0')}`
    await open('about:blank')
    await open(`file://${page}#at=${time}`)
    for (const [side, [said, rows]] of (await panels()).entries()) {
      const seen = Math.round(Number(said.split(' ')[1]) * 1e9)
      const nearest = Math.min(...instants[side].map(other => Math.abs(other - instant)))
      check(`${pair[side]} beside the other at ${time}`, Math.abs(seen - instant), nearest)
      const printed = plain(
        call(pair[side], '--at', said.split(' ')[1], '--width', '400')).split('\n')
      const start = printed.findIndex(line => line.startsWith('at '))
      for (const [name, ...cells] of rows) {
        const line =
          printed.slice(start + 1).find(line => line.trim().startsWith(name + ' ')) ?? ''
        const wanted = line.trim().slice(name.length).trim().split(/ {2,}/).join('|')
        check(`${pair[side]} at ${time}, ${name}`, plain(cells.join('|')), wanted)
      }
      shown += 1
    }
  }
  await read('document.querySelectorAll(".p-run .p-figure")[0].focus()')
  await press('Home')
  const starts = (await panels()).map(panel => panel[0]).join()
  check(`${pair}, both at their starts`, starts, 'at 0 s,at 0 s')
}
errors.forEach(error => console.log(error))
await close()
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
console.log(`${shown} cursors on ${scenarios.length} pages show what the tool prints`)
process.exit(failures + errors.length === 0 ? 0 : 1)
