import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { allBudgets, compareBudgets, measured, measurementsIn } from '../support/budgets.mjs'
import { projectRoot } from './scratch-copy'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'budgets-'))
  file = join(folder, 'measurements')
  writeFileSync(file, '')
  // Of this test's own: the run that it is part of keeps count in another.
  vi.stubEnv('BUDGETS_FILE', file)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const budget = (name: string, limit: number) => ({ name, limit, today: 0, why: 'a test' })

const { name, limit } = allBudgets()[0]!

it('a count at its limit is written down for the run', () => {
  measured(name, limit)
  expect(measurementsIn(file)).toEqual([{ name, value: limit }])
})
it('a count beyond its limit fails by name, value and limit, and is written down all the same', () => {
  expect(() => measured(name, limit + 1)).toThrow(`${name}: ${limit + 1} is beyond ${limit}`)
  expect(measurementsIn(file)).toEqual([{ name, value: limit + 1 }])
})
it('a count that is no number fails', () => {
  expect(() => measured(name, NaN)).toThrow(`${name}: NaN is beyond ${limit}`)
})
it('a count without a line in tests/budgets.json fails by its name', () => {
  expect(() => measured('no such line', 1)).toThrow('no line "no such line"')
})

it('a run fails for a line that is passed by its highest value, one that nothing measured, and a name without a line', () => {
  const lines = [budget('statements', 10), budget('requests', 5), budget('commits', 0)]
  const values = [
    { name: 'statements', value: 11 },
    { name: 'statements', value: 3 },
    { name: 'commits', value: 0 },
    { name: 'rows', value: 1 },
  ]
  expect(compareBudgets(lines, values, [])).toEqual({
    faults: [
      'statements: 11 is beyond its limit of 10',
      'requests: nothing measured it in this run',
      'rows: 1 was measured, and tests/budgets.json has no such line',
    ],
    scarce: [],
    within: 1,
  })
})
it('lines of which less than a tenth is left are told with what is left', () => {
  const lines = [budget('bytes', 1000), budget('requests', 100), budget('none', 0)]
  const values = [
    { name: 'bytes', value: 901 },
    { name: 'requests', value: 90 },
    { name: 'none', value: 0 },
  ]
  expect(compareBudgets(lines, values, [])).toEqual({
    faults: [],
    scarce: ['bytes: 99 left of 1000 (9.9 %)'],
    within: 3,
  })
})
it('a line of one run is not missed in another', () => {
  const lines = [{ ...budget('loops', 10), run: 'npm run test:full' as const }]
  expect(compareBudgets(lines, [], ['npm test']).faults).toEqual([])
  expect(compareBudgets(lines, [], ['npm run test:full']).faults).toHaveLength(1)
})

it('each budget is a line of its own with a name, a limit that today’s value keeps to, and a reason', () => {
  const budgets = allBudgets()
  const lines = readFileSync(join(projectRoot, 'tests/budgets.json'), 'utf8').split('\n')
  expect(lines.filter((line) => line.startsWith('  { "name": '))).toHaveLength(budgets.length)
  expect(new Set(budgets.map(({ name }) => name)).size).toBe(budgets.length)
  expect(budgets.filter(({ limit, today, why }) => !(today <= limit) || why.trim() === '')).toEqual([])
})
