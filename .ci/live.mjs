// Drives the page in which scenarios run, in the browsers that are here, and runs what it makes of
// scenarios with the tool: live.mjs TOOL PAGE TIMES
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { browsers } from './browsers.mjs'

const [tool, page, times] = process.argv.slice(2)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'live-'))
const url = pathToFileURL(page).href

let [failures, compared, contestants, where] = [0, 0, 0, '']
function check(name, found, wanted) {
  if (found === wanted) return
  failures += 1
  console.log(`${where}: ${name}: the page has '${found}', and '${wanted}' is wanted`)
}

// The same numbers each time.
let state = 1
function draw(count) {
  state = (state * 48271) % 2147483647
  return state % count
}

// Writes a text and the files that it names; returns where the text is.
function written(text, files, name) {
  const place = path.join(folder, name)
  fs.mkdirSync(path.dirname(place), { recursive: true })
  fs.writeFileSync(place, text)
  for (const [other, bytes] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, other)), { recursive: true })
    fs.writeFileSync(path.join(folder, other), Buffer.from(bytes, 'base64'))
  }
  return place
}

// Runs a text with the tool; returns the fingerprint, or why there is none.
function natively(text, files, name = 'scenario.json') {
  const place = written(text, files, name)
  let printed
  try {
    printed = execFileSync(tool, ['run', '--format', 'json', place],
      { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
  } catch (failure) {
    printed = failure.stdout.toString() || failure.stderr.toString()
  }
  return /"fingerprint":"([0-9a-f]+)"/.exec(printed)?.[1] ?? printed
}

// Compares an experiment with the tool: the means of each contestant, to a microsecond.
async function judgeExperiment(read, what) {
  const { path: name, text, result, files } = await read(`({ path: tab.path, text: tab.text,
    result: tab.result, files: tab.files ?? {} })`)
  const file = written(text, files, name)
  const printed = execFileSync(tool, ['compare', '--json', file],
    { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 }).toString()
  const own = JSON.parse(printed).common.contestants
  check(`${what}: contestants`, result.contestants.length, own.length)
  for (const one of own) {
    const found = result.contestants.find(other => other.name === one.name)
    for (const key of ['startup', 'stalled']) {
      const away = Math.abs((found?.[key] ?? 0) / 1e9 - (one[key] ?? 0))
      check(`${what}: ${key} of ${one.name} is that of the tool`, away < 1e-6 || away, true)
    }
  }
  return own.length
}

// Draws a link anew before each of a hundred frames; returns how many a second there are.
async function frames(read) {
  await read(`void (async () => {
    const began = performance.now()
    for (let i = 0; 100 > i; i += 1) {
      await new Promise(requestAnimationFrame)
      change(model => model.draw([[0, (i % 9 + 1) * 1e6], [9, (i % 7) * 1e6]]), { isGesture: true })
    }
    window.frameRate = Math.round(100 / (performance.now() - began) * 1000)
  })()`)
  return until(read, 'window.frameRate')
}

async function until(read, expression, seconds = 60) {
  for (let left = seconds * 10; left > 0; left -= 1) {
    const value = await read(expression)
    if (value) return value
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return undefined
}

// What a person may do to any scenario: each is an expression that the page evaluates.
const changes = [
  () => 'document.querySelector("[data-step=play]").click()',
  () => 'document.querySelector("[data-step=playImmediately]").click()',
  () => 'document.querySelector("[data-step=pause]").click()',
  () => `byId("seek").value = "${draw(30)} s";
    document.querySelector("[data-step=seek]").click()`,
  () => `byId("outage-length").value = "${1 + draw(60) / 10} s"; byId("outage").click()`,
  () => `byId("round-trip").value = "${draw(300)} ms";
    byId("round-trip").dispatchEvent(new Event("change"))`,
  () => `(choice => { choice.selectedIndex = ${draw(20)};
    choice.dispatchEvent(new Event("change")) })(byId("rule-a").querySelector("select"))`,
  () => `(fields => { if (!fields[0]) return; fields[0].value = "${1 + draw(20)} s";
    fields[0].dispatchEvent(new Event("change")) })(
      byId("media").querySelectorAll("input[aria-label=duration]"))`,
]

async function judge(browser) {
  const { open, read, drag, fingers, press, size, errors, close, name } = browser
  const text = () => read('byId("json").value')
  const fingerprint = () => read('byId("fingerprint")?.textContent')
  const findings = () => read('byId("findings").textContent')
  const lane = () => read(`(() => {
    byId("frame").scrollIntoView()
    const box = byId("picture").getBoundingClientRect()
    const { top, height } = picture.linkLane
    return [box.left + picture.left, box.top + top, picture.room, height]
  })()`)
  // What takes long runs in a worker, and is there a while later.
  const settled = () => until(read, '!tab.isBusy')
  async function compare(what) {
    await settled()
    const [own, files] = [await fingerprint(), await read('data.tabs.concat(data.files)'
      + '.find(one => one.path === tab.path)?.files ?? {}')]
    if (own === undefined) {
      check(`${what}: findings`, (await findings()).length > 0, true)
      return
    }
    // A text that varies is many runs, of which the page shows one.
    const whole = await text()
    if (/"vary"/.test(whole)) return
    check(what, own, natively(whole, files, await read('tab.path')))
    compared += 1
  }

  await open(url)
  const drawn = await until(read, 'document.documentElement.dataset.drawn')
  const same = await until(read, 'byId("same").dataset.state')
  check('all as native', same, 'same')
  const ready = await read('document.documentElement.dataset.ready')
  console.log(`${name}: ${await read('byId("same").textContent')}, drawn after ${drawn} ms, `
    + `runs after ${ready} ms`)

  const count = await read('tabs.length')
  for (let number = 0; number < count; number += 1) {
    await read(`openTab(tabs[${number}])`)
    if (await read('tab.kind') === 'experiment') {
      const done = await until(read,
        'tab.result?.all > 0 && tab.result.sessions === tab.result.all && !tab.result.more', 90)
      check(`tab ${number}: the experiment ends`, done, true)
      check(`tab ${number}: it says so`,
        await read('/done/.test(byId("trial-count").textContent)'), true)
      check(`tab ${number}: points`, await read('tab.result.contestants.length > 1'), true)
      contestants += await judgeExperiment(read, `tab ${number}`)
      continue
    }
    await compare(`tab ${number}`)
    const [x, y, width, height] = await lane()
    const ways = () => [0, 1, 2, 3, 4].map(step =>
      [x + width * (0.2 + step * 0.1), y + height * (20 + draw(70)) / 100])
    await drag(ways())
    check(`tab ${number}: a drag changes`, await read('tab.text !== tab.original'), true)
    await compare(`tab ${number}, a drag`)
    for (let time = 0; time < Number(times); time += 1) {
      await read(`moveCursor(${draw(1000)} / 1000 * tab.shown[2])`)
      const change = draw(changes.length)
      await read(`(() => { ${changes[change]()} })()`)
      await compare(`tab ${number}, change ${time} of kind ${change}`)
    }
    await read('(() => { while (tab.past.length > 0) actions.undo() })()')
    check(`tab ${number}: undone`, await read('tab.text === tab.original'), true)
  }

  // While a person draws, each frame is a run. Machines that test may have no graphics.
  await read('openTab(tabs[2])')
  await settled()
  const rate = await frames(read)
  check('ten frames a second or more', rate >= 10, true)
  console.log(`${name}: ${rate} frames a second, each of them a run`)
  await read('void actions.reset()')

  // Two rules beside each other, each with a JSON of its own.
  await read('openTab(tabs[2])')
  await settled()
  await read(`(choice => { choice.value = "media3"; choice.dispatchEvent(new Event("change")) })(
    byId("rule-b").querySelector("select"))`)
  await settled()
  check('the other rule', natively(await read('otherText()'), {}),
    await read('tab.otherView.fingerprint'))

  // A finger draws, too; and keys.
  await size(480, 800, true)
  await read('openTab(tabs[1])')
  const [x, y, width, height] = await lane()
  await fingers([0.3, 0.4, 0.5].map(part => [x + width * part, y + height * 0.8]))
  check('a finger draws', await read('tab.text !== tab.original'), true)
  await compare('a finger')
  check('not wider than a telephone', await read('document.documentElement.scrollWidth'), 480)
  await size(1280, 800)
  await read('actions.reset(), byId("frame").focus()')
  await press('Home')
  await press('ArrowUp')
  check('keys draw', await read('tab.text !== tab.original'), true)
  await compare('keys')
  await read('actions.reset(), moveCursor(3e9), byId("frame").focus()')
  await press('x')
  check('keys step', /"pause"/.test(await text()), true)
  await compare('a key')

  // Links lead to what is seen.
  await settled()
  const before = await fingerprint()
  await read('void fragment().then(text => { window.linked = text })')
  const linked = await until(read, 'window.linked')
  await open(`${url}#${linked}`)
  await until(read, 'document.documentElement.dataset.ready')
  await settled()
  check('a link', await fingerprint(), before)
  await open(`${url}?scenario=act-3`)
  await until(read, 'document.documentElement.dataset.ready')
  check('a name', await read('tab.path'), 'act-3.json')

  // Whatever is typed, there is a message, and the page goes on.
  const damaged = ['', '{', '[]', '{"autowait": 1}', '[['.repeat(300), '{"a":'.repeat(100000),
    await read('tab.original.slice(0, 200)'), await read('tab.original.replace("39 s", "-1 s")')]
  for (const one of damaged) {
    await read(`setText(${JSON.stringify(one)})`)
    await settled()
    check(`damaged ${one.slice(0, 20)}: findings`, (await findings()).length > 0, true)
    check(`damaged ${one.slice(0, 20)}: no trap`, await read('tab.view.stopped ?? false'), false)
  }
  await read('actions.reset()')
  await compare('after damage')
  for (const error of errors) console.log(`${name}: ${error}`)
  failures += errors.length
  await close()
}

for (const make of browsers()) {
  const browser = await make()
  const before = failures
  where = browser.name
  compared = contestants = 0
  await judge(browser)
  console.log(`${where}: ${compared} scenarios and ${contestants} contestants of experiments as `
    + `the tool runs them, ${failures - before} differences`)
}
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
process.exit(failures === 0 ? 0 : 1)
