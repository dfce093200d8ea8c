// Drives the browsers that are here, without a library: Chromium through pipes, by its own
// protocol, and Firefox through a socket on this machine, by WebDriver BiDi.
//
// Each can open a page, read an expression, press a key, move fingers, and take a picture.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

// What a failed judge leaves behind ends with it.
const children = []
process.on('exit', () => children.forEach(child => child.kill('SIGKILL')))

const isHere = program => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const temporary = name => fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`))

// Requests have numbers, which their answers bear.
function numbered(write) {
  const waiting = new Map()
  let count = 0
  return {
    send: (method, params = {}, more = {}) => new Promise((resolve, reject) => {
      count += 1
      waiting.set(count, message => message.error
        ? reject(new Error(`${method}: ${JSON.stringify(message)}`)) : resolve(message.result))
      write(JSON.stringify({ id: count, method, params, ...more }))
    }),
    take: message => {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    },
  }
}

// Ends a browser, and removes what it wrote.
async function ended(child, folder, ask) {
  const gone = new Promise(resolve => child.on('exit', resolve))
  ask()
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await gone
  clearTimeout(timer)
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

async function chromium() {
  const folder = temporary('chromium')
  const child = spawn('chromium', [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
    '--remote-debugging-pipe', `--user-data-dir=${folder}`, 'about:blank',
  ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  children.push(child)
  const { send: ask, take } = numbered(text => child.stdio[3].write(text + '\0'))
  const errors = []
  let [text, loaded, more] = ['', () => {}, {}]
  child.stdio[4].on('data', data => {
    text += data
    for (let end; (end = text.indexOf('\0')) >= 0; text = text.slice(end + 1)) {
      const message = JSON.parse(text.slice(0, end))
      take(message)
      if (message.method === 'Page.loadEventFired') loaded()
      if (message.method === 'Runtime.exceptionThrown') errors.push(JSON.stringify(message.params))
    }
  })
  const send = (method, params) => ask(method, params, more)
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const attached = await send('Target.attachToTarget', { targetId, flatten: true })
  more = { sessionId: attached.sessionId }
  await send('Page.enable')
  await send('Runtime.enable')
  await send('Page.bringToFront')
  const touch = (type, points) => send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  })
  return {
    name: 'Chromium', errors,
    // Another fragment alone would load nothing.
    open: async url => {
      for (const next of ['about:blank', url]) {
        const done = new Promise(resolve => { loaded = resolve })
        await send('Page.navigate', { url: next })
        await done
      }
    },
    read: async expression =>
      (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value,
    press: async key => {
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key })
    },
    // Moves a mouse along a way with its button held.
    drag: async way => {
      const mouse = (type, [x, y], buttons) =>
        send('Input.dispatchMouseEvent', { type, x, y, buttons, button: 'left', clickCount: 1 })
      await mouse('mousePressed', way[0], 1)
      for (const place of way) await mouse('mouseMoved', place, 1)
      await mouse('mouseReleased', way[way.length - 1], 0)
    },
    // Moves fingers together along their ways, each a list of as many points.
    fingers: async (...ways) => {
      await touch('touchStart', ways.map(way => way[0]))
      for (const step of ways[0].keys()) {
        if (step > 0) await touch('touchMove', ways.map(way => way[step]))
      }
      await touch('touchEnd', [])
    },
    size: async (width, height, isTouched = false) => {
      await send('Emulation.setDeviceMetricsOverride', {
        width, height, deviceScaleFactor: 1, mobile: isTouched,
      })
      await send('Emulation.setTouchEmulationEnabled', { enabled: isTouched, maxTouchPoints: 5 })
    },
    paint: scheme => send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    }),
    picture: async file => {
      const { data } = await send('Page.captureScreenshot', { format: 'png' })
      fs.writeFileSync(file, Buffer.from(data, 'base64'))
    },
    close: () => ended(child, folder, () => { more = {}; send('Browser.close') }),
  }
}

const keyCodes = {
  ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015',
  End: '\uE010', Home: '\uE011', Escape: '\uE00C',
}

async function firefox(scheme = 'light') {
  const folder = temporary('firefox')
  // What a page is painted for is a preference, which is read when the browser starts.
  const preferences = {
    'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false,
    'app.normandy.enabled': false, 'app.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false, 'dom.w3c_touch_events.enabled': 1,
    'toolkit.telemetry.enabled': false, 'browser.safebrowsing.update.enabled': false,
    'ui.useOverlayScrollbars': 1,
  }
  fs.writeFileSync(path.join(folder, 'user.js'), Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`).join(''))
  const child = spawn('firefox-esr', [
    '--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0',
  ], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } })
  children.push(child)
  const place = await new Promise((resolve, reject) => {
    let text = ''
    child.stderr.on('data', data => {
      text += data
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text)
      if (found) resolve(found[1])
    })
    child.on('exit', () => reject(new Error(`Firefox ended: ${text}`)))
  })
  const socket = new WebSocket(`${place}/session`)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Firefox does not answer'))
  })
  const { send, take } = numbered(text => socket.send(text))
  const errors = []
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    take(message)
    const isError = message.method === 'log.entryAdded' && message.params.level === 'error'
    if (isError) errors.push(JSON.stringify(message.params))
  }
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await send('browsingContext.getTree')
  const context = contexts[0].context
  const perform = actions => send('input.performActions', { context, actions })
  return {
    name: 'Firefox', errors,
    open: async url => {
      for (const next of ['about:blank', url]) {
        await send('browsingContext.navigate', { context, url: next, wait: 'complete' })
      }
    },
    read: async expression => {
      // Values come as text: in this protocol they have a form of their own.
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: false,
      })
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result.type === 'string' ? JSON.parse(result.value) : undefined
    },
    press: key => perform([{
      type: 'key', id: 'keys',
      actions: ['keyDown', 'keyUp'].map(type => ({ type, value: keyCodes[key] ?? key })),
    }]),
    drag: way => perform([{
      type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' },
      actions: way.flatMap(([x, y], step) => {
        const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }
        return step > 0 ? [move] : [move, { type: 'pointerDown', button: 0 }]
      }).concat({ type: 'pointerUp', button: 0 }),
    }]),
    fingers: (...ways) => perform(ways.map((way, id) => ({
      type: 'pointer', id: `finger ${id}`, parameters: { pointerType: 'touch' },
      actions: way.flatMap(([x, y], step) => {
        const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }
        return step > 0 ? [move] : [move, { type: 'pointerDown', button: 0 }]
      }).concat({ type: 'pointerUp', button: 0 }),
    }))),
    size: (width, height) =>
      send('browsingContext.setViewport', { context, viewport: { width, height } }),
    paint: async () => {},
    picture: async file => {
      const { data } = await send('browsingContext.captureScreenshot', { context })
      fs.writeFileSync(file, Buffer.from(data, 'base64'))
    },
    close: () => ended(child, folder, () => send('browser.close').catch(() => {})),
  }
}

// The browsers that can be driven here; says which cannot.
export function browsers() {
  const found = []
  if (isHere('chromium')) found.push(chromium)
  else console.log('skipped: chromium is not here')
  if (!isHere('firefox-esr')) console.log('skipped: firefox-esr is not here')
  else if (typeof WebSocket === 'undefined') {
    console.log('skipped: firefox-esr needs a node with WebSocket')
  } else found.push(firefox)
  return found
}
