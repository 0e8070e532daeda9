import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { projectRoot } from '../server/cli/run-command.mjs'

/**
 * About how many seconds one test file of a layer takes on two cores, its share of the start-up among it. Fixed, so that
 * the same change has the same tests on every machine.
 */
const SECONDS = { ui: 0.6, server: 1.5, sync: 3, repo: 5 }
const OTHERWISE = 0.3
/** Seconds for all of them. Types and lint take the other half minute of a quick run. */
const BUDGET = 45

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])(\.{1,2}\/[^'"]+)\1/g
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts']

/** @param {readonly string[]} args @returns {string[]} the lines that git says */
function git(...args) {
  const done = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  return done.stdout.split('\n').filter((line) => line !== '')
}

/** Paths that differ from the branch that this one follows: committed here, not yet committed, or new. */
function changedFiles() {
  const upstream = spawnSync('git', ['merge-base', 'HEAD', '@{upstream}'], { cwd: projectRoot, encoding: 'utf8' })
  const base = upstream.status === 0 ? upstream.stdout.trim() : 'HEAD'
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** For each file, those that import it. @returns {Map<string, string[]>} */
function importers() {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) =>
    existsSync(join(projectRoot, path)),
  )
  const known = new Set(files)
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const file of files.filter((path) => /\.(tsx?|mjs|css)$/.test(path))) {
    for (const [, , specifier = ''] of readFileSync(join(projectRoot, file), 'utf8').matchAll(IMPORT)) {
      const path = posix.join(dirname(file), specifier)
      const target = ENDINGS.map((ending) => path + ending).find((candidate) => known.has(candidate))
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  return importers
}

/**
 * The test files below the browser that import what changed, those first that do so by the fewest steps, as many as half a
 * minute holds.
 *
 * @param {readonly string[]} [changed] paths; by default whatever differs from the branch that this one follows
 * @returns {{ chosen: readonly string[], left: readonly string[] }} nearest first
 */
export function nearestTests(changed = changedFiles()) {
  const importedBy = importers()
  const reached = new Set(changed)
  for (const file of reached) for (const importer of importedBy.get(file) ?? []) reached.add(importer)
  const tests = [...reached].filter(
    (path) => /^tests\/.*\.test\.tsx?$/.test(path) && existsSync(join(projectRoot, path)),
  )
  let budget = BUDGET
  const within = tests.filter((path) => {
    budget -= SECONDS[/** @type {'ui'} */ (path.split('/')[1])] ?? OTHERWISE
    return budget >= 0
  })
  return { chosen: within, left: tests.slice(within.length) }
}
