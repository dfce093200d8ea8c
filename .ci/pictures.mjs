// Takes pictures of pages as they are first seen: pictures.mjs FOLDER, with pages in FOLDER/pages.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { browsers } from './browsers.mjs'

const folder = process.argv[2]
const pages = fs.readdirSync(path.join(folder, 'pages')).filter(name => name.endsWith('.html'))
  .map(name => name.slice(0, -5)).sort()
// Of the page in which scenarios run, each tab is a view of its own.
const tabs = ['act-1', 'act-2', 'act-3', 'act-4', 'queue', 'looper', 'stream', 'experiment']
const views = pages.flatMap(page => page === 'live'
  ? tabs.map(tab => ({ page: `live-${tab}`, file: 'live.html', query: `?scenario=${tab}` }))
  : [{ page, file: `${page}.html`, query: '' }])
const sizes = [[1280, 800], [480, 800]]
const schemes = ['light', 'dark']
const taken = []
let failures = 0

// Waits until the page has run what it shows.
async function finished(browser) {
  for (let left = 300; left > 0; left -= 1) {
    if (await browser.read(`byId("same").dataset.state && !tab.isBusy
      && (tab.kind === "scenario" || /done/.test(byId("trial-count").textContent))`)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  failures += 1
  console.log('the page has not run what it shows')
}

async function take(make, wanted) {
  const browser = await make(wanted[0])
  for (const scheme of wanted) {
    await browser.paint(scheme)
    for (const [width, height] of sizes) {
      for (const { page, file: source, query } of views) {
        // What is changed by hand is seen down to its JSON.
        await browser.size(width, query ? width > 640 ? 1900 : 3400 : height)
        await browser.open(pathToFileURL(path.join(folder, 'pages', source)).href + query)
        if (query) await finished(browser)
        const file = `${page}-${width}-${scheme}-${browser.name.toLowerCase()}.png`
        await browser.picture(path.join(folder, file))
        taken.push({ page, width, scheme, browser: browser.name, file })
        // What is wider than the page is cut off on a telephone.
        const wide = await browser.read('document.documentElement.scrollWidth')
        if (wide > width) {
          failures += 1
          console.log(`${page}: error: ${wide} pixels wide in ${width}, in ${browser.name}`)
        }
      }
    }
  }
  for (const error of browser.errors) console.log(`${browser.name}: error: ${error}`)
  failures += browser.errors.length
  await browser.close()
}

await Promise.all(browsers().map(async make => {
  // One of them reads what it paints for when it starts.
  if (make.name === 'firefox') for (const scheme of schemes) await take(make, [scheme])
  else await take(make, schemes)
}))

const order = views.map(({ page, file, query }) => {
  const own = taken.filter(one => one.page === page)
    .sort((a, b) => b.width - a.width || a.browser.localeCompare(b.browser)
      || b.scheme.localeCompare(a.scheme))
  const shown = own.map(one => `<figure><a href="${one.file}"><img src="${one.file}" alt="${page}"
    width="${one.width / 4}"></a><figcaption>${one.browser}, ${one.width}, ${one.scheme}
    </figcaption></figure>`).join('\n')
  return `<h2><a href="pages/${file}${query}">${page}</a></h2>\n<div>${shown}</div>`
})
fs.writeFileSync(path.join(folder, 'index.html'), `<!doctype html>
<meta charset="utf-8"><title>Pages, as they are first seen</title>
<style>body{font-family:sans-serif}div{display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}
img{border:1px solid #999}figcaption{font-size:12px}</style>
<h1>Pages, as they are first seen</h1>
${order.join('\n')}
`)
console.log(`${taken.length} pictures of ${views.length} views in ${folder}`)
process.exit(failures === 0 && taken.length > 0 ? 0 : 1)
