import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, runOrExit } from './run-command.mjs'

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, optionalDependencies?: Record<string, string> }} Locked a package, as npm's lock file has it */

/**
 * The lowest Node that package.json's `engines` accepts.
 *
 * @returns {[major: number, minor: number]}
 */
export function nodeFloor() {
  const { engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/.exec(engines.node) ?? []
  if (minor === undefined) throw new Error(`package.json asks for a Node that cannot be compared: ${engines.node}`)
  return [Number(major), Number(minor)]
}

/** @param {string} version such as 22.21.0 */
export function isOlderNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantMajor, wantMinor] = nodeFloor()
  return major < wantMajor || (major === wantMajor && minor < wantMinor)
}

/** Exits with a plain sentence on a Node that is too old to build or run the project. */
export function requireNode() {
  if (!isOlderNode(process.versions.node)) return
  console.error(`Node ${nodeFloor().join('.')} or newer is needed; this is ${process.versions.node}.`)
  process.exit(1)
}

/**
 * Installs the packages of package-lock.json unless exactly those are there.
 *
 * @param {{ toBuild?: boolean }} [options] false: those that the built server runs with are enough
 */
export async function ensureInstalled({ toBuild = true } = {}) {
  // An exchange is read by an optional package.
  const withOptional = toBuild || !['', 'none'].includes(process.env.MARKET_STREAM ?? '')
  const reason = missingPackage(toBuild, withOptional)
  if (reason === null) return
  console.log(`Installing packages (${reason}) …`)
  // With NODE_ENV=production npm would leave out what builds the app.
  const parts = [toBuild ? '--include=dev' : '--omit=dev', withOptional ? '--include=optional' : '--omit=optional']
  await runOrExit(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', ...parts, '--no-audit', '--no-fund'])
}

/**
 * The differences between package-lock.json and npm's own record of node_modules, which npm writes last.
 *
 * @param {boolean} toBuild
 * @param {boolean} withOptional
 * @returns {string | null} null: nothing
 */
function missingPackage(toBuild, withOptional) {
  const wanted = lockedPackages('package-lock.json')
  if (wanted === null) throw new Error('package-lock.json is missing')
  const present = lockedPackages('node_modules/.package-lock.json')
  if (present === null) return 'none are there yet'
  const ours = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`)
  for (const [path, { version, dev, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '') continue
    if (!toBuild && dev === true) continue
    if (!withOptional && (optional === true || devOptional === true)) continue
    // Optional packages for other platforms are left out on purpose; our own are the sandbox's and an exchange's.
    if (optional === true && !ours.includes(path)) continue
    if (present[path]?.version !== version) return `${path.replace(/^.*node_modules\//, '')} ${version} is missing`
  }
  return null
}

/**
 * @param {string} file
 * @returns {Record<string, Locked> | null}
 */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, file), 'utf8')).packages
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
