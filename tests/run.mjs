// npm test: everything, from a bare clone to the browser. `--bars` runs the long ones instead.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, requireNode } from '../server/cli/install.mjs'
import { projectRoot, runCommand } from '../server/cli/run-command.mjs'
import { line, playwrightTally, single, sum, vitestTally } from './tally.mjs'

requireNode()
await ensureInstalled()
const { ensureBrowser } = await import('./ensure-browser.mjs')
const { withoutPrograms } = await import('./browser.mjs')
const { FIRST_ROUTE_BUDGET, firstRouteReport, firstRouteSize } = await import('../server/cli/first-route.mjs')

const reports = mkdtempSync(join(tmpdir(), 'test-reports-'))
/** @type {{ name: string, tally: import('./tally.mjs').Tally, seconds: number }[]} */
const layers = []

/**
 * @param {string} name
 * @param {() => Promise<import('./tally.mjs').Tally>} run
 */
async function layer(name, run) {
  console.log(`\n=== ${name}`)
  const start = performance.now()
  const tally = await run().catch((error) => {
    console.error(error)
    return single(false)
  })
  layers.push({ name, tally, seconds: (performance.now() - start) / 1000 })
}

/** A packaged program of node_modules. @param {string} file @param {readonly string[]} args */
const program = (file, ...args) => runCommand(process.execPath, [join(projectRoot, 'node_modules', file), ...args])

/**
 * @param {string} name of the report
 * @param {readonly string[]} projects
 * @param {string | undefined} databaseUrl a PostgreSQL server; undefined: the embedded database
 */
async function vitest(name, projects, databaseUrl) {
  const report = join(reports, `${name}.json`)
  const chosen = projects.flatMap((project) => ['--project', project])
  const args = ['run', '--config', 'tests/vitest.config.ts', ...chosen]
  const output = ['--reporter=default', `--reporter=${join(projectRoot, 'tests/tally-reporter.mjs')}`]
  const code = await runCommand(
    process.execPath,
    [join(projectRoot, 'node_modules/vitest/vitest.mjs'), ...args, ...output],
    {
      env: { TEST_DATABASE_URL: databaseUrl, TALLY_FILE: report },
    },
  )
  return vitestTally(report, code)
}

async function build() {
  return single((await runCommand(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])) === 0)
}

/**
 * @param {string | null} browser null: there is none, which fails
 * @param {'app' | 'measured'} project
 * @param {Readonly<Record<string, string>>} more variables
 */
async function inBrowser(browser, project, more = {}) {
  if (browser === null) return single(false)
  const report = join(reports, `${project}.json`)
  const cli = join(projectRoot, 'node_modules/playwright/cli.js')
  const chosen = ['--config', 'tests/e2e/playwright.config.ts', '--project', project]
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...more }
  const args = [cli, 'test', ...chosen, '--reporter', 'list,json']
  return playwrightTally(report, await runCommand(process.execPath, args, { env }))
}

async function everything() {
  const browser = await ensureBrowser()
  const postgres = process.env.TEST_DATABASE_URL
  await layer('types', async () => single((await program('typescript/bin/tsc', '-b')) === 0))
  await layer('lint', async () => single((await program('oxlint/bin/oxlint', '--type-aware', '--deny-warnings')) === 0))
  await layer('format', async () => single((await program('prettier/bin/prettier.cjs', '--check', '.')) === 0))
  await layer('rooms', () => vitest('rooms', ['!bars'], undefined))
  if (postgres === undefined) console.log('TEST_DATABASE_URL is not set: the server ran on its embedded database only.')
  else await layer('server on PostgreSQL', () => vitest('postgres', ['postgres'], postgres))
  await layer('build', build)
  await layer('first route', async () => {
    console.log(firstRouteReport())
    return single(firstRouteSize().gzip <= FIRST_ROUTE_BUDGET)
  })
  for (const skipped of withoutPrograms()) console.log(skipped)
  await layer('end to end', () => inBrowser(browser, 'app'))
  await layer('measured', () => inBrowser(browser, 'measured'))
}

async function bars() {
  await layer('build', build)
  await layer('measured', () =>
    ensureBrowser().then((browser) =>
      inBrowser(browser, 'measured', { TICKS: '60', SECOND_TAB_MS: '100', PERIOD_MS: '100' }),
    ),
  )
  await layer('bars', () => vitest('bars', ['bars'], process.env.TEST_DATABASE_URL))
}

await (process.argv.includes('--bars') ? bars() : everything())
rmSync(reports, { recursive: true })

const total = sum(layers.map(({ tally }) => tally))
console.log('')
for (const { name, tally } of layers) for (const account of tally.accounts) console.log(`${name}: ${account}\n`)
for (const { name, tally, seconds } of layers) console.log(`${name}: ${line(tally)} (${seconds.toFixed(0)} s)`)
console.log(line(total))
process.exit(total.failed === 0 ? 0 : 1)
