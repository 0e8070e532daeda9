import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  ['commands/planted-query.ts', '../queries/board'],
]

/** Code that a layer must not contain, and which complaint about it is expected. */
const FORBIDDEN: readonly { path: string; text: string; by: 'types' | 'lint'; because: RegExp }[] = [
  { path: 'src/domain/planted-fetch.ts', text: 'export const x = () => fetch("/")', by: 'types', because: /TS2304/ },
  { path: 'src/domain/planted-window.ts', text: 'export const x = () => window.name', by: 'types', because: /TS2304/ },
  {
    path: 'src/domain/planted-node.ts',
    text: 'export const x = () => process.pid',
    by: 'types',
    because: /TS2580|TS2591/,
  },
  {
    path: 'src/domain/planted-clock.ts',
    text: 'export const x = () => Date.now()',
    by: 'lint',
    because: /no-restricted-properties/,
  },
  {
    path: 'src/domain/planted-chance.ts',
    text: 'export const x = () => Math.random()',
    by: 'lint',
    because: /no-restricted-properties/,
  },
  {
    path: 'src/domain/planted-package.ts',
    text: 'import { z } from "zod"\nexport const x = z',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/contract/planted-clock.ts',
    text: 'export const x = () => Date.now()',
    by: 'lint',
    because: /no-restricted-properties/,
  },
  { path: 'src/sync/planted-window.ts', text: 'export const x = () => window.name', by: 'types', because: /TS2304/ },
  {
    path: 'src/db/planted-document.ts',
    text: 'export const x = () => document.title',
    by: 'types',
    because: /TS2584|TS2304/,
  },
  {
    path: 'workers/planted-document.ts',
    text: 'export const x = () => document.title',
    by: 'types',
    because: /TS2584|TS2304/,
  },
  { path: 'server/planted-window.ts', text: 'export const x = () => window.name', by: 'types', because: /TS2304/ },
  ...['app-deps', 'plugins/identity', 'routes/auth'].map((above) => ({
    path: `server/services/live/planted-${flat(above)}.ts`,
    text: `import type { X } from "../../${above}"\nexport type Y = X`,
    by: 'lint' as const,
    because: /no-restricted-imports/,
  })),
  {
    path: 'src/state/planted-storage.ts',
    text: 'export const x = () => localStorage.length',
    by: 'lint',
    because: /no-restricted-globals/,
  },
  ...['src/app', 'src/ui', 'src/features/chart'].map((folder) => ({
    path: `${folder}/planted-lazy.ts`,
    text: "import { lazy } from 'react'\nexport const x = lazy",
    by: 'lint' as const,
    because: /'lazy' import from 'react'/,
  })),
  {
    path: 'src/features/chart/plot/planted-neighbour.ts',
    text: 'import { x } from "../../dashboard/planted-target"\nexport const y = x',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/features/dashboard/planted-schema.ts',
    text: 'import { widget } from "../../contract/widget"\nexport const x = widget',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/features/dashboard/planted-engine.ts',
    text: 'import { x } from "../../sync/planted-target"\nexport const y = x',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  ...features.map((feature) => ({
    path: `src/features/${feature === 'dashboard' ? 'chart' : 'dashboard'}/planted-${feature}.ts`,
    text: `import { x } from "../${feature}/planted-target"\nexport const y = x`,
    by: 'lint' as const,
    because: /no-restricted-imports/,
  })),
  {
    path: 'src/app/bridge/planted-schema.ts',
    text: 'import { widget } from "../../contract/widget"\nexport const x = widget',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/app/bridge/planted-engine.ts',
    text: 'import { x } from "../../sync/planted-target"\nexport const y = x',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/app/bridge/planted-stream.ts',
    text: 'import { x } from "../../sync/stream/own-stream"\nexport const y = x',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/state/planted-schema.ts',
    text: 'import { widget } from "../contract/widget"\nexport const x = widget',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  {
    path: 'src/db/planted-schema.ts',
    text: 'import { widget } from "../contract/widget"\nexport const x = widget',
    by: 'lint',
    because: /no-restricted-imports/,
  },
  ...UPWARDS.map(([from, to]) => ({
    path: `src/db/${from}`,
    text: `${textOf(`src/db/${from}`)}\nimport type * as upper from '${to}'\nexport type Upper = typeof upper\n`,
    by: 'lint' as const,
    because: /no-restricted-imports/,
  })),
]

let copy: ScratchCopy
const said = { types: '', lint: '' }
const complaints = (by: 'types' | 'lint', path: string) => said[by].split('\n').filter((line) => line.includes(path))

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
  for (const { path, text } of FORBIDDEN) copy.plant(path, text)
  said.types = copy.types()
  said.lint = copy.lint()
})
afterAll(() => rmSync(copy.folder, { recursive: true }))

describe.each(Object.entries(LAYERS))('imports of %s', (layer, allowed) => {
  const others = Object.keys(LAYERS).filter((other) => other !== layer)

  it.each(others.filter((other) => !allowed.includes(other)))(`layer ${layer} cannot import %s`, (other) => {
    const path = probe(layer, other)
    const all = [...complaints('types', path), ...complaints('lint', path)].join('\n')
    expect(all).toMatch(/TS6307|no-restricted-imports/)
  })
  it.each(others.filter((other) => allowed.includes(other)))(`layer ${layer} can import %s`, (other) => {
    expect(complaints('types', probe(layer, other))).toEqual([])
  })
})

describe('forbidden code', () => {
  it.each(FORBIDDEN)('forbidden code in $path is reported by the $by check', ({ path, by, because }) => {
    expect(complaints(by, path).join('\n')).toMatch(because)
  })
})
