import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAYERS, projectRoot, scratchCopy, type ScratchCopy } from './scratch-copy'

/** From a layer's folder to a file of another layer, as an import statement writes it. */
const specifier = (from: string, to: string) => {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}
const flat = (layer: string) => layer.replace('/', '-')
const target = (layer: string) => `${layer}/planted-target`
const probe = (layer: string, other: string) => `${layer}/planted-import-of-${flat(other)}.ts`

const features = readdirSync(join(projectRoot, 'src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const textOf = (path: string) => {
  const file = join(projectRoot, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Upwards on the floors of src/db. The lowest has no folder of its own: its file is one that is there, with an import added. */
const UPWARDS: readonly (readonly [from: string, to: string])[] = [
  ['board.ts', './mutations/mutation-types'],
  ['rows.ts', './snapshot'],
  ['mutations/planted-database.ts', '../database'],
  ['mutations/planted-snapshot.ts', '../snapshot'],
  ['mutations/planted-answer.ts', '../answers/apply-outcome'],
  ['planted-answer.ts', './answers/apply-outcome'],
  ['planted-command.ts', './commands/widgets'],
  ['answers/planted-command.ts', '../commands/widgets'],
  ['commands/planted-query.ts', '../queries/waiting'],
]

const CLOCK = 'export const x = () => Date.now()'
const WINDOW = 'export const x = () => window.name'
const DOCUMENT = 'export const x = () => document.title'
const LAZY = "import { lazy } from 'react'\nexport const x = lazy"
const importOf = (path: string, name = 'x') => `import { ${name} } from "${path}"\nexport const y = ${name}`

type Check = 'types' | 'lint'
/** Code that a layer must not contain: its file, its text, the check that refuses it, and the complaint. */
const FORBIDDEN: readonly (readonly [path: string, text: string, by: Check, because: RegExp])[] = [
  ['src/domain/planted-fetch.ts', 'export const x = () => fetch("/")', 'types', /TS2304/],
  ['src/domain/planted-window.ts', WINDOW, 'types', /TS2304/],
  ['src/domain/planted-node.ts', 'export const x = () => process.pid', 'types', /TS2580|TS2591/],
  ['src/sync/planted-window.ts', WINDOW, 'types', /TS2304/],
  ['src/db/planted-document.ts', DOCUMENT, 'types', /TS2584|TS2304/],
  ['workers/planted-document.ts', DOCUMENT, 'types', /TS2584|TS2304/],
  ['server/planted-window.ts', WINDOW, 'types', /TS2304/],
  ['src/domain/planted-clock.ts', CLOCK, 'lint', /no-restricted-properties/],
  ['src/domain/planted-chance.ts', 'export const x = () => Math.random()', 'lint', /no-restricted-properties/],
  ['src/contract/planted-clock.ts', CLOCK, 'lint', /no-restricted-properties/],
  ['src/state/planted-storage.ts', 'export const x = () => localStorage.length', 'lint', /no-restricted-globals/],
  ...['src/app', 'src/ui', 'src/features/chart'].map(
    (folder) => [`${folder}/planted-lazy.ts`, LAZY, 'lint', /'lazy' import from 'react'/] as const,
  ),
  ...[
    ...['domain', 'contract', 'sync'].map(
      (layer) => [`src/${layer}/planted-package.ts`, importOf('zod', 'z')] as const,
    ),
    ...['app-deps', 'plugins/identity', 'routes/auth'].map(
      (above) =>
        [
          `server/services/live/planted-${flat(above)}.ts`,
          `import type { X } from "../../${above}"\nexport type Y = X`,
        ] as const,
    ),
    ['src/features/chart/plot/planted-neighbour.ts', importOf('../../dashboard/planted-target')] as const,
    ...features.map((feature) => {
      const other = feature === 'dashboard' ? 'chart' : 'dashboard'
      return [`src/features/${other}/planted-${feature}.ts`, importOf(`../${feature}/planted-target`)] as const
    }),
    ...['features/dashboard', 'app/bridge', 'state', 'db'].map((folder) => {
      const path = `src/${folder}/planted-schema.ts`
      return [path, importOf(`${relative(dirname(path), 'src/contract')}/widget`, 'widget')] as const
    }),
    ['src/features/dashboard/planted-engine.ts', importOf('../../sync/planted-target')] as const,
    ['src/app/bridge/planted-engine.ts', importOf('../../sync/planted-target')] as const,
    ['src/app/bridge/planted-stream.ts', importOf('../../sync/stream/own-stream')] as const,
    ...UPWARDS.map(([from, to]) => {
      const added = `import type * as upper from '${to}'\nexport type Upper = typeof upper\n`
      return [`src/db/${from}`, `${textOf(`src/db/${from}`)}\n${added}`] as const
    }),
  ].map(([path, text]) => [path, text, 'lint', /no-restricted-imports/] as const),
]

let copy: ScratchCopy
const said = { types: '', lint: '' }
const complaints = (by: Check, path: string) => said[by].split('\n').filter((line) => line.includes(path))

beforeAll(() => {
  copy = scratchCopy()
  copy.plant('src/features/chart/planted-target.ts', 'export const x = 1')
  for (const layer of Object.keys(LAYERS)) {
    copy.plant(`${target(layer)}.ts`, 'export const x = 1')
    for (const other of Object.keys(LAYERS)) {
      if (other === layer) continue
      const from = specifier(layer, target(other))
      copy.plant(probe(layer, other), `import { x } from '${from}'\nexport const y = x`)
    }
  }
  for (const [path, text] of FORBIDDEN) copy.plant(path, text)
  said.types = copy.types()
  said.lint = copy.lint()
})
afterAll(() => rmSync(copy.folder, { recursive: true }))

test.each(Object.entries(LAYERS))('layer %s can import the layers below it and no others', (layer, allowed) => {
  const others = Object.keys(LAYERS).filter((other) => other !== layer)
  const isRefused = (other: string, ...by: Check[]) =>
    by.some((check) => /TS6307|no-restricted-imports/.test(complaints(check, probe(layer, other)).join('\n')))
  const [below, above] = [true, false].map((is) => others.filter((other) => allowed.includes(other) === is))
  expect(above!.filter((other) => !isRefused(other, 'types', 'lint'))).toEqual([])
  expect(below!.flatMap((other) => complaints('types', probe(layer, other)))).toEqual([])
})

test.each(FORBIDDEN)('forbidden code in %s is refused', (path, _text, by, because) => {
  expect(complaints(by, path).join('\n')).toMatch(because)
})
