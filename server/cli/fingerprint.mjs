import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './run-command.mjs'

/** All that the build reads. */
const SOURCES = [
  'index.html',
  'package-lock.json',
  'package.json',
  'public',
  'server',
  'src',
  'sw',
  'tsconfig.json',
  'vite.config.ts',
  'web-manifest.ts',
  'workers',
]
/** Written last by the build, so that a build that was cut short counts as none. */
export const fingerprintFile = join(projectRoot, 'dist', 'fingerprint')

/**
 * A hash over the names and the contents of all sources. Contents, not times: a checkout or a copy changes those.
 *
 * @returns {string}
 */
export function sourcesFingerprint() {
  const hash = createHash('sha256')
  /** @param {string} path */
  const add = (path) => {
    const absolute = join(projectRoot, path)
    if (statSync(absolute).isDirectory()) for (const name of readdirSync(absolute).toSorted()) add(`${path}/${name}`)
    else hash.update(`${path}\0`).update(readFileSync(absolute)).update('\0')
  }
  for (const source of SOURCES) add(source)
  return hash.digest('hex')
}

/** @returns {string | null} the fingerprint of the sources that dist was built from; null: there is no whole build */
export function builtFingerprint() {
  try {
    return readFileSync(fingerprintFile, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
