// A page with a media element that plays a scripted session, for the recorder of the article
// "Recording a session": node page.mjs RECORDER SESSION prints the recording that it makes.
import { readFileSync } from 'node:fs';

const [recorder, sessionName] = process.argv.slice(2);
const origin = 'https://example.org';
const isFile = sessionName.startsWith('file');

// What the page asks for: path, asked, first byte, last byte in ms, bytes.
const requests = isFile
  ? [['/clip.mp4', 1000, 1050, 14000, 1500000]]
  : [
    ['/app.js', 200, 210, 230, 50000],
    ['/clip/master.m3u8?token=1', 1000, 1040, 1045, 120],
    ['/clip/low.m3u8', 1050, 1090, 1095, 150],
    ['/clip/a.m4s', 1100, 1150, 3100, 200000],
    ['/clip/b.m4s', 3170, 3220, 5170, 200000],
    ['/clip/c.m4s', 5170, 5220, 12400, 200000],
  ];
const playlists = {
  '/clip/master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=450000\nlow.m3u8\n',
  '/clip/low.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.m4s\n#EXTINF:4,\nb.m4s\n'
    + '#EXTINF:4,\nc.m4s\n#EXT-X-ENDLIST\n',
};

// What is loaded from 0 to where, from when on, and where the clock is.
const loaded = isFile
  ? Array.from({ length: 130 }, (_, i) => [1100 + i * 100, (i + 1) * 12 / 130])
  : [[3120, 4], [5190, 8], [12420, 12]];
const clock = isFile
  ? [[2290, 0], [14290, 12]]
  : [[3290, 0], [11290, 8], [12510, 8], [16510, 12]];
const events = isFile
  ? [[1000, 'play'], [1000, 'waiting'], [2270, 'playing'], [14290, 'pause'], [14290, 'ended']]
  : [[1000, 'play'], [1000, 'waiting'], [3270, 'playing'], [11290, 'waiting'],
    [12500, 'playing'], [16510, 'pause'], [16510, 'ended']];
if (sessionName.endsWith('paused')) events.splice(3, 0, [8000, 'pause'], [9000, 'play']);

let now = 0;
const listeners = {};
const media = {
  autoplay: false, playbackRate: 1, duration: 12,
  currentSrc: isFile ? `${origin}/clip.mp4` : `blob:${origin}/1`,
  get currentTime() {
    const next = clock.findIndex(([time]) => time > now);
    if (next < 0) return clock.at(-1)[1];
    if (next === 0) return clock[0][1];
    const [[from, place], [to, end]] = [clock[next - 1], clock[next]];
    return place + (end - place) * (now - from) / (to - from);
  },
  get buffered() {
    const end = loaded.findLast(([time]) => time <= now)?.[1];
    return { length: end ? 1 : 0, start: () => 0, end: () => end };
  },
  addEventListener: (type, listener) => (listeners[type] ??= []).push(listener),
};

const entries = requests.map(([path, startTime, responseStart, responseEnd, bytes]) => ({
  name: origin + path, startTime, responseStart, responseEnd,
  initiatorType: isFile ? 'video' : 'xmlhttprequest',
  encodedBodySize: bytes, transferSize: bytes + 300,
}));
class Observer {
  constructor(callback) { this.callback = callback; }
  observe(options) {
    if (options.type !== 'resource' || !options.buffered) throw Error('observes what is not asked');
    Observer.all.push(this);
  }
  takeRecords() { return []; }
  disconnect() { Observer.all = Observer.all.filter((other) => other !== this); }
}
Observer.all = [];

let poll, isPolled = false, written;
const page = {
  window: {},
  document: {
    querySelector: (selector) => (selector === 'video, audio' ? media : null),
    createElement: () => ({ click() { written = this; } }),
  },
  navigator: { userAgent: 'Mozilla/5.0 Chrome/140.0' },
  performance: { now: () => now },
  PerformanceObserver: Observer,
  setInterval: (call, span) => { [poll, isPolled] = [{ call, span }, true]; },
  clearInterval: () => { isPolled = false; },
  fetch: async (url) => ({ text: async () => playlists[new URL(url).pathname] }),
  Blob: class { constructor(parts) { this.text = parts.join(''); } },
  URL: class extends URL { static createObjectURL(blob) { return blob.text; } },
};
new Function(...Object.keys(page), readFileSync(recorder, 'utf8'))(...Object.values(page));

const end = sessionName.endsWith('stopped') ? 9000 : 20000;
for (now = 0; now <= end; now += 10) {
  for (const entry of entries) {
    if (entry.responseEnd > now - 10 && entry.responseEnd <= now) {
      for (const { callback } of Observer.all) callback({ getEntries: () => [entry] });
    }
  }
  for (const [time, type] of events) {
    if (time === now) for (const listener of listeners[type] ?? []) listener({ type });
  }
  if (isPolled && now % poll.span === 0) poll.call();
}
if (sessionName.endsWith('stopped')) page.window.autowait.stop();
setTimeout(() => process.stdout.write(written.href), 50);
