// node tests/pictures/font.mjs: cuts Inter to the weights and characters of its first rule in src/ui/fonts.css.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { projectRoot } from '../../server/cli/run-command.mjs'

const rule = readFileSync(join(projectRoot, 'src/ui/fonts.css'), 'utf8')
const ranges = [...rule.slice(0, rule.indexOf('}')).matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)]
const characters = ranges.flatMap(([, first = '', last = first]) => {
  const from = Number.parseInt(first, 16)
  return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, n) => String.fromCodePoint(from + n))
})
const [min = 0, max = 0] = (/font-weight: (.+);/.exec(rule)?.[1] ?? '').split(' ').map(Number)
const whole = readFileSync(
  join(projectRoot, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
)
const cut = await subsetFont(whole, characters.join(''), {
  targetFormat: 'woff2',
  variationAxes: { wght: { min, max } },
})
writeFileSync(join(projectRoot, 'src/ui/inter-latin.woff2'), cut)
