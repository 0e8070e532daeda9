import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Item, quotedPieces, readCoverage } from './coverage-document'
import { projectRoot } from './scratch-copy'
import { testTitles } from './test-titles'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const { sections, items } = readCoverage(read('docs/spec-coverage.md'))

const DASHBOARD_SECTIONS = [
  '1. What the product does and for whom',
  '2. Screens and routes',
  '3. Entities and their fields',
  '4. States and transitions',
  '5. Validation rules',
  '6. Roles and permissions',
  '7. The calls it makes',
  '8. The error catalogue',
  '9. Business constants and limits',
]
const ACCOUNTS_SECTIONS = DASHBOARD_SECTIONS.with(7, '8. Error catalogue')

/** Chains of titles of a test file, each as the document writes it; null: there is no such file. */
const titles = new Map<string, ReadonlySet<string> | null>()
function titlesOf(file: string): ReadonlySet<string> | null {
  const known = titles.get(file)
  if (known !== undefined) return known
  const path = join('tests', file)
  const found = existsSync(join(projectRoot, path))
    ? new Set(testTitles(path, read(path)).map((chain) => chain.join(' › ')))
    : null
  titles.set(file, found)
  return found
}
const fileOf = (test: string) => test.split(' › ')[0]!
const exists = (test: string) => titlesOf(fileOf(test))?.has(test.slice(fileOf(test).length + 3)) === true

const said = (text: string) =>
  text
    .replace(/\\(['"`])/g, '$1')
    .replace(/’|&apos;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
const filesOf = (layer: string) =>
  readdirSync(join(projectRoot, layer), { recursive: true, encoding: 'utf8' }).map((path) => join(layer, path))
const program = said(
  ['src', 'sw', 'workers', 'server']
    .flatMap(filesOf)
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .map(read)
    .join('\n'),
)
/** Pieces of quoted texts that stand neither in the program nor in a test that the item names. */
const unknownTexts = (item: Item) => {
  const files = item.tests.map(fileOf).filter((file) => titlesOf(file) !== null)
  const tests = files.map((file) => said(read(join('tests', file)))).join('\n')
  return quotedPieces(item.text).filter((piece) => !program.includes(said(piece)) && !tests.includes(said(piece)))
}

describe('specification coverage', () => {
  it('the specification coverage has every section of both documents in order, with at least three items each', () => {
    expect(sections).toEqual([
      ...DASHBOARD_SECTIONS.map((title) => `The dashboard document › ${title}`),
      ...ACCOUNTS_SECTIONS.map((title) => `The accounts document › ${title}`),
    ])
    const counts = sections.map((section) => items.filter((item) => item.section === section).length)
    expect(counts.filter((count) => count < 3)).toEqual([])
  })
  it('every item of the specification coverage names a test or says why there is none', () => {
    const bare = items.filter(
      ({ tests, notes }) => tests.length === 0 && !notes.some((note) => note.startsWith('No test')),
    )
    expect(bare.map(({ text }) => text)).toEqual([])
  })
  it('fewer than one in fifty items of the specification coverage has no test', () => {
    expect(items.filter(({ tests }) => tests.length === 0).length).toBeLessThan(items.length / 50)
  })
  it('every test that the specification coverage names exists and is run', () => {
    expect(items.length).toBeGreaterThan(370)
    expect(items.flatMap(({ tests }) => tests).filter((test) => !exists(test))).toEqual([])
  })
  it('every text quoted in the specification coverage occurs in the program or in a test of its item', () => {
    expect(items.flatMap(unknownTexts)).toEqual([])
  })
  it('every link in the specification coverage leads to a file that exists', () => {
    const links = [...read('docs/spec-coverage.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(10)
    expect(links.filter((link) => !existsSync(join(projectRoot, 'docs', link.replace(/#.*/, ''))))).toEqual([])
  })
})

describe('invalid specification coverage', () => {
  it('the coverage check notices a missing file or title, a title without its group, and a skipped test', () => {
    expect(exists('repo/no-such.test.ts › anything')).toBe(false)
    expect(exists('repo/spec-coverage.test.ts › specification coverage › is a picnic')).toBe(false)
    expect(
      exists('repo/spec-coverage.test.ts › every test that the specification coverage names exists and is run'),
    ).toBe(false)
    expect(exists('repo/spec-coverage.test.ts › specification coverage')).toBe(true)
    expect(
      exists(
        'repo/spec-coverage.test.ts › specification coverage › every test that the specification coverage names exists and is run',
      ),
    ).toBe(true)
    const source = 'describe("a", () => { test.skip("b", () => {}); test.each([1])(`c ${d}`, () => {}) })'
    expect(testTitles('planted.test.ts', source)).toEqual([['a'], ['a', 'c ${d}']])
  })
  it('the coverage check notices a quoted text that occurs nowhere in the program', () => {
    const item = { section: '', text: 'A button "Could not load … of them, sir"', tests: [], notes: [] }
    expect(unknownTexts(item)).toEqual([' of them, sir'])
  })
  it('the coverage reader throws on a line that is neither an item, a test nor a note', () => {
    expect(() => readCoverage('## A\n### 1\n- b\n  - shown somewhere')).toThrow('Neither a test nor a note')
  })
})
