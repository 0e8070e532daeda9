import { expect, it } from 'vitest'
import { repeatedLines } from '../support/duplicates.mjs'
import { circlesIn, importGraph } from '../support/import-graph.mjs'
import { testOnlyExports } from '../support/test-only-exports.mjs'

const read =
  (texts: Readonly<Record<string, string>>) =>
  (path: string): string =>
    texts[path] ?? ''

it('files that import one another over others are one circle, types and later imports among them', () => {
  const texts = {
    'src/a.ts': "import type { B } from './b'",
    'src/b.ts': "import {\n  c,\n} from './part/c'\nimport './outside'",
    'src/part/c.tsx': "const a = await import('../a')\nimport { d } from '../d'",
    'src/d.ts': "import { e } from './e'",
    'src/e.ts': "export { d } from './d'",
    'src/outside.ts': "import { x } from './d'",
  }
  expect(circlesIn(importGraph(Object.keys(texts), read(texts)))).toEqual([
    ['src/a.ts', 'src/b.ts', 'src/part/c.tsx'],
    ['src/d.ts', 'src/e.ts'],
  ])
})

const six = (indent: string) => [1, 2, 3, 4, 5, 6].map((n) => `${indent}line(${n})`).join('\n')

it('six equal lines in a row repeat the first place that has them, whatever their indentation and the brackets between', () => {
  const texts = new Map([
    ['a.ts', `first()\n${six('')}\n`],
    ['b.ts', `{\n${six('  ').replace('line(3)', '// a comment\n\n  line(3)')}\n}\n`],
  ])
  const found = repeatedLines(texts)
  expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual([2, 3, 6, 7, 8, 9].map((line) => `b.ts:${line}`))
  expect(new Set(found.map(({ copyOf }) => copyOf))).toEqual(new Set(['a.ts:2']))
})
it('five equal lines, equal imports and equal comments are no repetition', () => {
  const five = six('').split('\n').slice(1).join('\n')
  const imports = `import {\n${six('').replaceAll('(', '').replaceAll(')', ',')}\n} from './x'\n`
  const comment = `/*\n${six(' * ')}\n */\n`
  const texts = new Map(['a.ts', 'b.ts'].map((file) => [file, `${imports}${comment}${five}\nonlyIn('${file}')\n`]))
  expect(repeatedLines(texts)).toEqual([])
})

it('an export counts if a test imports it and no other file of the program does', () => {
  const texts = {
    'src/a.ts': 'export const used = 1\nexport function onlyTested() {}\nexport type Inner = 1\nexport const both = 2',
    'src/b.ts': "import { used, both } from './a'",
    'tests/a.test.ts': "import { onlyTested, both } from '../src/a'",
  }
  const graph = importGraph(Object.keys(texts), read(texts))
  expect(testOnlyExports(graph, (path) => path.startsWith('src/'), read(texts))).toEqual([
    { file: 'src/a.ts', name: 'onlyTested' },
  ])
})
