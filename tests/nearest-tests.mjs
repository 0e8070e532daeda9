import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../server/cli/run-command.mjs'
import { git, importersIn, importGraph } from './support/import-graph.mjs'

/**
 * About how many seconds one test file of a layer takes on two cores, its share of the start-up among it. Fixed, so that
 * the same change has the same tests on every machine.
 */
const SECONDS = { ui: 0.6, server: 1.5, sync: 2, repo: 1.5 }
const OTHERWISE = 0.3
/** Seconds for all of them. Types and lint take the other half minute of a quick run. */
const BUDGET = 40

/** Paths that differ from the branch that this one follows: committed here, not yet committed, or new. */
function changedFiles() {
  const upstream = spawnSync('git', ['merge-base', 'HEAD', '@{upstream}'], { cwd: projectRoot, encoding: 'utf8' })
  const base = upstream.status === 0 ? upstream.stdout.trim() : 'HEAD'
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/**
 * The test files below the browser that import what changed, those first that do so by the fewest steps, as many as half a
 * minute holds.
 *
 * @param {readonly string[]} [changed] paths; by default whatever differs from the branch that this one follows
 * @returns {{ chosen: readonly string[], left: readonly string[] }} nearest first
 */
export function nearestTests(changed = changedFiles()) {
  const importedBy = importersIn(importGraph())
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
