import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './scratch-copy'

const tracked = git('ls-files', '--cached', '--others', '--exclude-standard')
const sources = tracked.filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('/migrations/'))
const text = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

function git(...args: readonly string[]): string[] {
  const done = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout.split('\n').filter((line) => line !== '')
}

const program = /^(src|server|sw|workers)\//
/** Statements of a module, roughly: comments and blank lines out, one a line. */
const statements = (source: string) =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .split(/;|\n(?=\S)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && statement !== '}')

it('code that runs in the service worker contains no dynamic import', () => {
  const inWorker = sources.filter((path) => /^(sw|src\/(domain|contract|db|sync))\//.test(path))
  expect(inWorker.length).toBeGreaterThan(50)
  expect(inWorker.filter((path) => statements(text(path)).some((one) => /\bimport\(/.test(one)))).toEqual([])
})

it('the code of commands is loaded in one place, which the page calls when it is idle, and by no press on its own', () => {
  const lazy = sources.filter((path) => program.test(path) && /\bimport\('[^']*db\/commands\//.test(text(path)))
  expect(lazy).toEqual(['src/state/use-command.ts'])
  expect(text('src/app/start-background.ts')).toContain('loadWhenIdle(loadCommands, ')
})

it('the letter σ stands in src/domain/standing.ts and in words of JSX, never behind a number that is put together elsewhere', () => {
  const code = (path: string) => text(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const inCode = (path: string) => (path.endsWith('.tsx') ? /[}`]σ/ : /σ/).test(code(path))
  const found = sources.filter((path) => program.test(path) && inCode(path))
  expect(found).toEqual(['src/domain/standing.ts'])
})

it('the names of rules and crossings are put together in src/domain/alerts.ts alone', () => {
  const twoColons = /`[^`\n]*\$\{[^}]*\}:(\$\{[^}]*\}|high|low|above|below):\$\{/
  const named = /\$\{[^}]*\}:(\$\{(side|epoch|rule)\}|high|low|above|below)/
  const found = sources.filter((path) => program.test(path) && [twoColons, named].some((one) => one.test(text(path))))
  // The other one writes a time of day.
  expect(found).toEqual(['src/domain/alerts.ts', 'src/domain/csv.ts'])
})

it('the convention checks find more than fifty source files', () => {
  expect(sources.length).toBeGreaterThan(50)
})
it('every source file belongs to a project that `tsc -b` builds', () => {
  const { references } = JSON.parse(text('tsconfig.json')) as { references: readonly { path: string }[] }
  const projects = references.map(({ path }) => path).filter((path) => !path.endsWith('.json'))
  const ofTools = (path: string) => path.endsWith('.mjs') || !path.includes('/')
  const unbuilt = sources.filter(
    (path) => !ofTools(path) && !projects.some((project) => path.startsWith(`${project}/`)),
  )
  expect(unbuilt).toEqual([])
})
it('every source file has a kebab-case name', () => {
  expect(
    sources.filter(
      (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|bars|config|d))?\.(tsx?|mjs)$/.test(basename(path)),
    ),
  ).toEqual([])
})
it('no source file lies in a folder named utils, helpers, types, hooks or common', () => {
  const vague = new Set(['utils', 'helpers', 'types', 'hooks', 'common'])
  expect(
    sources.filter((path) =>
      dirname(path)
        .split('/')
        .some((part) => vague.has(part)),
    ),
  ).toEqual([])
})
it('every source file has at most 390 lines', () => {
  expect(sources.filter((path) => text(path).split('\n').length > 391)).toEqual([])
})
it('no source file contains TODO, FIXME, XXX or HACK', () => {
  const others = sources.filter((path) => path !== 'tests/repo/conventions.test.ts')
  expect(others.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text(path)))).toEqual([])
})
it('no source file of the program has a default export, configuration excepted', () => {
  expect(
    sources.filter((path) => program.test(path) && !path.endsWith('.config.ts') && /^export default/m.test(text(path))),
  ).toEqual([])
})
it('no source file only re-exports other modules', () => {
  const barrels = sources.filter((path) => {
    const all = statements(text(path))
    return all.length > 0 && all.every((statement) => /^export\s[\s\S]*\sfrom\s/.test(statement))
  })
  expect(barrels).toEqual([])
})
