// npm test: everything that a change can break, from a bare clone to the browser, in ten minutes. `--full` adds what takes
// longer, `--bars` runs the long runs alone, `--quick` the tests that are nearest to what changed.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, requireNode } from '../server/cli/install.mjs'
import { captureCommand, projectRoot, runProgram } from '../server/cli/run-command.mjs'
import { measured } from './support/budgets.mjs'
import { budgetsTally, measurementsOf } from './budget-layer.mjs'
import { line, playwrightTally, single, sum, vitestTally } from './tally.mjs'
import { newTestRun } from './test-run.mjs'
import { BELOW, timesReport } from './times-report.mjs'

requireNode()
await ensureInstalled()
const { ensureBrowser } = await import('./ensure-browser.mjs')
const { withoutPrograms } = await import('./browser.mjs')
const { FIRST_ROUTE, firstRouteReport, firstRouteSize } = await import('../server/cli/client-bundle.mjs')
const { nearestTests } = await import('./nearest-tests.mjs')

/** @typedef {import('./tally.mjs').Tally} Tally */

const { folder: reports, layers, layer, loop, measured: measuredSoFar } = newTestRun()

/** A program, its output printed in one piece at its end. @param {string} file @param {readonly string[]} args */
async function check(file, ...args) {
  const { code, output } = await captureCommand(process.execPath, [join(projectRoot, file), ...args])
  console.log(`${[file, ...args].join(' ')}\n${output}`)
  return single(code === 0)
}
// The compiler and the linter are Go programs, which for seconds make what they keep to the end: they collect a fourth as often.
process.env.GOGC ??= '400'
/** One checker: several of them check what they share once each. */
const types = () => check('node_modules/typescript/bin/tsc', '-b', '--checkers', '1')
const lint = () => check('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings')
const unused = () => check('node_modules/knip/bin/knip.js')
const format = () => check('node_modules/oxfmt/bin/oxfmt', '--check', '.')
const counters = () => check('tests/static-counters.mjs')

/** @param {readonly (() => Promise<Tally>)[]} checks that do not wait for one another */
const sideBySide = async (checks) => sum(await Promise.all(checks.map((run) => run())))

/**
 * @param {string} name of the report
 * @param {readonly string[]} args which tests
 * @param {string | undefined} databaseUrl a PostgreSQL server; undefined: the embedded database
 */
async function vitest(name, args, databaseUrl = process.env.TEST_DATABASE_URL) {
  const report = join(reports, `${name}.json`)
  const cli = [join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'tests/vitest.config.ts']
  const output = ['--reporter=default', `--reporter=${join(projectRoot, 'tests/tally-reporter.mjs')}`]
  const env = { TEST_DATABASE_URL: databaseUrl, TALLY_FILE: report }
  return vitestTally(report, await runProgram(process.execPath, [...cli, ...args, ...output], { env }))
}

const build = async () =>
  single((await runProgram(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])) === 0)

function firstRoute() {
  console.log(firstRouteReport())
  measured(FIRST_ROUTE, firstRouteSize().gzip)
  return single(true)
}

/**
 * @param {'app' | 'measured'} project
 * @param {readonly string[]} [args]
 * @param {Readonly<Record<string, string>>} [more] variables
 */
async function inBrowser(project, args = [], more = {}) {
  const browser = await ensureBrowser()
  if (browser === null) return single(false)
  const report = join(reports, `${project}.json`)
  const cli = [
    join(projectRoot, 'node_modules/playwright/cli.js'),
    'test',
    '--config',
    'tests/e2e/playwright.config.ts',
  ]
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...more }
  const chosen = ['--project', project, ...args, '--reporter', 'list,json']
  const layerName = project === 'app' ? 'end to end' : 'measured'
  return playwrightTally(report, await runProgram(process.execPath, [...cli, ...chosen], { env }), layerName)
}

/** The lines of tests/budgets.json, against all that the run has measured. @param {readonly import('./support/budgets.mjs').Run[]} runs */
const budgets = (...runs) =>
  layer('budgets', () => budgetsTally([...measuredSoFar(), ...measurementsOf(layers, loop())], runs))

const WITHOUT_FULL = ['--tags-filter=!full']
const AT_ANY_TIME = ['--project=!bars']

async function everyChange() {
  await layer('static checks', () => sideBySide([types, lint, unused, format, counters]))
  await layer('build', build)
  await layer('first route', firstRoute)
  await layer(BELOW, () => vitest('below', [...AT_ANY_TIME, ...WITHOUT_FULL]))
  await layer('end to end', () => inBrowser('app', ['--grep-invert', '@full']))
  await budgets(
    'npm test',
    process.env.TEST_DATABASE_URL === undefined ? 'npm test without PostgreSQL' : 'npm test with PostgreSQL',
  )
}

async function everything() {
  await layer('static checks', () => sideBySide([types, lint, unused, format, counters]))
  await layer('build', build)
  await layer('first route', firstRoute)
  await layer(BELOW, () => vitest('below', AT_ANY_TIME))
  if (process.env.TEST_DATABASE_URL !== undefined)
    await layer('on the embedded database', () =>
      vitest('embedded', ['--project=node', 'tests/server/', 'tests/sync/'], undefined),
    )
  await layer('end to end', () => inBrowser('app', [], { ALL_VIEWS: '1' }))
  await layer('measured', () => inBrowser('measured'))
  await budgets('npm run test:full')
}

async function quick() {
  const { chosen, left } = nearestTests()
  await layer('types, lint', () => sideBySide([types, lint]))
  if (chosen.length > 0)
    await layer('nearest tests', () => vitest('quick', [...AT_ANY_TIME, ...WITHOUT_FULL, ...chosen]))
  const rest =
    left.length === 0 ? '' : ` ${left.length} more import it from further away, ${left[0]} the nearest of them.`
  console.log(
    `\n${chosen.length} test files are near to what changed.${rest} npm test runs all of them, and the browser.`,
  )
}

async function bars() {
  await layer('build', build)
  const whole = {
    TICKS: '60',
    PRESS_MS: '250',
    SLOW_PRESS_MS: '350',
    SECOND_TAB_MS: '250',
    ROUNDS: '9',
    KILLS: '200',
    PERIOD_MS: '100',
  }
  await layer('measured', () => inBrowser('measured', [], whole))
  await layer('bars', () => vitest('bars', ['--project=bars']))
}

const RUNS = new Map([
  ['--quick', quick],
  ['--full', everything],
  ['--bars', bars],
])
const [wanted] = process.argv.slice(2)
const run = wanted === undefined ? everyChange : RUNS.get(wanted)
if (run === undefined) {
  console.error(`No such run: ${wanted}. There are ${[...RUNS.keys()].join(', ')}, and none of them is npm test.`)
  process.exit(2)
}
if (run !== bars && process.env.TEST_DATABASE_URL === undefined)
  console.log('TEST_DATABASE_URL is not set: the server runs on its embedded database only.')
if (run !== quick) for (const skipped of withoutPrograms()) console.log(skipped)
await run()
rmSync(reports, { recursive: true })

const total = sum(layers.map(({ tally }) => tally))
console.log('')
for (const { name, tally } of layers) for (const account of tally.accounts) console.log(`${name}: ${account}\n`)
console.log(`${timesReport(layers, loop())}\n`)
for (const { name, tally, seconds } of layers) console.log(`${name}: ${line(tally)} (${seconds.toFixed(0)} s)`)
console.log(line(total))
process.exit(total.failed === 0 ? 0 : 1)
