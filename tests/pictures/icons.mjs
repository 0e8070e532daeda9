// node tests/pictures/icons.mjs: draws public/icons from public/favicon.svg.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { projectRoot } from '../../server/cli/run-command.mjs'
import { BROWSER_FLAGS, requireChromium } from '../browser.mjs'

const source = join(projectRoot, 'public/favicon.svg')
const folder = join(projectRoot, 'public/icons')
const rounded = readFileSync(source, 'utf8')
/** Launchers cut maskable and touch icons themselves, so those are filled to the corners. */
const square = rounded.replace(/ rx="\d+"/, '')

const pictures = [
  { name: 'icon-192', svg: rounded, size: 192 },
  { name: 'icon-512', svg: rounded, size: 512 },
  { name: 'maskable-192', svg: square, size: 192 },
  { name: 'maskable-512', svg: square, size: 512 },
  { name: 'apple-touch-icon', svg: square, size: 180 },
]

mkdirSync(folder, { recursive: true })
copyFileSync(source, join(folder, 'icon.svg'))
const browser = await chromium.launch({ executablePath: requireChromium(), args: BROWSER_FLAGS })
for (const { name, svg, size } of pictures) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const image = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await page.setContent(
    `<style>body{margin:0}img{display:block}</style><img width="${size}" height="${size}" src="${image}">`,
  )
  await page.locator('img').evaluate((img) => /** @type {HTMLImageElement} */ (img).decode())
  writeFileSync(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }))
  await page.close()
}
await browser.close()
