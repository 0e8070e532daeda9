import { appendFileSync, readFileSync } from 'node:fs'

/** @typedef {'server' | 'browser' | 'database'} Kind */

/**
 * Counts what takes seconds to start, in the file that STARTS_FILE names: the run says how many there were.
 *
 * @param {Kind} kind
 */
export function countStart(kind) {
  const file = process.env.STARTS_FILE
  if (file !== undefined && file !== '') appendFileSync(file, `${kind}\n`)
}

/** @param {string} file that a run named in STARTS_FILE, and made @returns {Record<Kind, number>} */
export function startsIn(file) {
  const kinds = readFileSync(file, 'utf8').split('\n')
  /** @param {Kind} kind */
  const count = (kind) => kinds.filter((started) => started === kind).length
  return { server: count('server'), browser: count('browser'), database: count('database') }
}
