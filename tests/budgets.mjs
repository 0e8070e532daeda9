// npm run budgets: every line of tests/budgets.json as a table. Measures what takes about a minute (the first route, what the
// source shows, how many tests there are), and takes the rest from the last runs of the tests on this machine.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { builtFingerprint, sourcesFingerprint } from '../server/cli/fingerprint.mjs'
import { ensureInstalled, requireNode } from '../server/cli/install.mjs'
import { captureCommand, projectRoot, runOrExit } from '../server/cli/run-command.mjs'
import { allBudgets, highest, lastValues, measurementsIn, percent } from './support/budgets.mjs'
import { layerOf } from './tally.mjs'

requireNode()
await ensureInstalled()
const { FIRST_ROUTE, firstRouteSize } = await import('../server/cli/client-bundle.mjs')

/** @typedef {import('./support/budgets.mjs').Measurement} Measurement */

/** A program, whose output is wanted. @param {string} file @param {readonly string[]} args */
async function outputOf(file, ...args) {
  const { code, output } = await captureCommand(process.execPath, [join(projectRoot, file), ...args])
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} exited with ${code}:\n${output}`)
  return output
}

async function firstRoute() {
  if (builtFingerprint() !== sourcesFingerprint())
    await runOrExit(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])
  return [{ name: FIRST_ROUTE, value: firstRouteSize().gzip }]
}

/** @param {string} folder for the counts @returns {Promise<Measurement[]>} also of lines that are passed, which the program says */
async function staticCounters(folder) {
  const file = join(folder, 'measurements')
  writeFileSync(file, '')
  process.env.BUDGETS_FILE = file
  await captureCommand(process.execPath, [join(projectRoot, 'tests/static-counters.mjs')])
  return measurementsIn(file)
}

/** Tests of `npm test` by layer. @param {string} folder @returns {Promise<Measurement[]>} */
async function numbersOfTests(folder) {
  const file = join(folder, 'tests.json')
  const below = ['--config', 'tests/vitest.config.ts', '--project=!bars', '--tags-filter=!full', `--json=${file}`]
  const endToEnd = ['--config', 'tests/e2e/playwright.config.ts', '--project', 'app', '--grep-invert', '@full']
  await outputOf('node_modules/vitest/vitest.mjs', 'list', ...below)
  const listed = await outputOf('node_modules/playwright/cli.js', 'test', '--list', ...endToEnd)
  const tests = /** @type {{ file: string, projectName: string }[]} */ (JSON.parse(readFileSync(file, 'utf8')))
  const layers = tests.map((test) => layerOf(relative(projectRoot, test.file), test.projectName))
  return [
    ...[...new Set(layers)].map((layer) => ({
      name: `tests of ${layer}`,
      value: layers.filter((one) => one === layer).length,
    })),
    { name: 'tests of end to end', value: Number(/Total: (\d+) tests?/.exec(listed)?.[1]) },
  ]
}

const folder = mkdtempSync(join(tmpdir(), 'budgets-'))
console.log('Building, where the build is not that of these sources, and listing the tests …')
const now = highest([...(await firstRoute()), ...(await staticCounters(folder)), ...(await numbersOfTests(folder))])
rmSync(folder, { recursive: true })

const stored = lastValues()
const rows = allBudgets().map(({ name, limit, why }) => {
  const value = now.get(name) ?? stored[name]?.value
  const from = now.has(name) ? 'now' : (stored[name]?.at.slice(0, 16).replace('T', ' ') ?? 'never')
  const left = value === undefined ? '' : percent(value, limit)
  return [name, value === undefined ? '' : String(value), from, String(limit), left, why]
})
const table = [['line', 'measured', 'when (UTC)', 'limit', 'left', 'why'], ...rows]
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
