// Opens pages of runs in the browsers that are here, moves their cursors by links, by keys and by
// touch, and holds what they show against what the tool prints: pages.mjs TOOL TIMES SCENARIO…
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { browsers } from './browsers.mjs'

const [tool, times, ...scenarios] = process.argv.slice(2)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pages-'))

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
let where = ''
function check(name, found, wanted) {
  if (found === wanted) return
  failures += 1
  console.log(`${where}: ${name}: the page shows '${found}', and the tool prints '${wanted}'`)
}

const page = path.join(folder, 'page.html')
const plain = text => text.replace(/\u00a0/g, ' ')
// What a line says of a property; a page has no chart with a sign for each variant.
const property = (line, name) => line.trim().slice(name.length).trim().split(/ {2,}/).join('|')
  .replace(/, \S in the chart/g, '')

async function judge(browser) {
  const { open, read, press, fingers, size, errors, close } = browser
  const cursor = () => read('document.querySelector(".p-at output").textContent')
  const rows = () => read(`[...document.querySelectorAll(".p-at tbody tr")].map(row =>
    [...row.children].map(cell => cell.textContent))`)

  for (const scenario of scenarios) {
    call(scenario, '--html', page)
    const source = /class="p-data">([^<]*)</.exec(fs.readFileSync(page, 'utf8'))[1]
    let sum = 0
    const instants = JSON.parse(source).instants.map(step => (sum += step))
    for (let number = 0; number < Number(times); number += 1) {
      const instant = instants[(number * 7919 + 13) % instants.length]
      const time = `${Math.floor(instant / 1e9)}.${String(instant % 1e9).padStart(9, '0')}`
      await open(`file://${page}#at=${time}`)
      const printed = plain(call(scenario, '--at', time, '--width', '400')).split('\n')
      const start = printed.findIndex(line => line.startsWith('at '))
      check(`${scenario} at ${time}`, await cursor(), printed[start].trim())
      for (const [name, ...cells] of await rows()) {
        const line = printed.slice(start + 1).find(line => line.trim().startsWith(name + ' ')) ?? ''
        const wanted = property(line, name)
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

  // A finger moves the cursor across, and two come closer; up and down is the page's to scroll.
  await size(480, 800, true)
  for (const scenario of scenarios) {
    call(scenario, '--html', page)
    await open(`file://${page}`)
    await read('document.querySelector(".p-run .p-figure").scrollIntoView()')
    const box = await read(`(() => {
      const svg = document.querySelector(".p-run .p-figure svg").getBoundingClientRect()
      return [svg.left, svg.top, svg.width, svg.height]
    })()`)
    // The lanes begin behind their names, and the axis is above them.
    const place = (across, down) =>
      [box[0] + 108 + across * (box[2] - 128), box[1] + Math.min(box[3], 700) * down]
    const printed = async name => {
      const said = await cursor()
      const time = said.split(' ')[1]
      const lines = plain(call(scenario, '--at', time, '--width', '400')).split('\n')
      check(`${scenario}, ${name}`, said, lines.find(line => line.startsWith('at ')).trim())
      shown += 1
      return Number(time)
    }
    await fingers([place(0.5, 0.4)])
    const middle = await printed('a tap')
    await fingers([0.5, 0.6, 0.7, 0.8].map(across => place(across, 0.4)))
    const right = await printed('a drag')
    check(`${scenario}, a drag to the right`, right > middle, true)
    const marks = () => read(`[...document.querySelectorAll(".p-run .p-figure svg > g")]
      .filter(group => group.getAttribute("aria-hidden"))[0].textContent`)
    const before = await marks()
    await fingers([0.45, 0.4, 0.3, 0.2].map(across => place(across, 0.4)),
      [0.55, 0.6, 0.7, 0.8].map(across => place(across, 0.4)))
    check(`${scenario}, two fingers apart`, await marks() === before, false)
    await read('document.querySelector(".p-tools button[title=\'The whole run\']").click()')
    check(`${scenario}, the whole run`, await marks(), before)
    // Without a screen a finger scrolls nothing; that it may is what can be read.
    check(`${scenario}, what scrolls the page`, await read(
      'getComputedStyle(document.querySelector(".p-run .p-figure svg")).touchAction'), 'pan-y')
  }
  await size(1280, 800)

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
          const wanted = property(line, name)
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
  for (const error of errors) console.log(`${browser.name}: ${error}`)
  failures += errors.length
  await close()
}

const found = browsers()
for (const make of found) {
  const browser = await make()
  const before = failures
  shown = 0
  where = browser.name
  await judge(browser)
  const count = failures - before
  console.log(`${where}: ${shown} cursors on ${scenarios.length} pages, ${count} differences`)
}
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failures === 0 ? 0 : 1)
