import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, runOrExit } from './run-command.mjs'

/** The lowest Node that package.json's `engines` accepts. */
const NODE_FLOOR = [20, 19]

/** Exits with a plain sentence on a Node that is too old to build or run the project. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [wantMajor = 0, wantMinor = 0] = NODE_FLOOR
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return
  console.error(`Node ${NODE_FLOOR.join('.')} or newer is needed; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Installs the packages of package-lock.json unless exactly those are there. */
export async function ensureInstalled() {
  const reason = missingPackage()
  if (reason === null) return
  console.log(`Installing packages (${reason}) …`)
  // With NODE_ENV=production npm would leave out what builds the app.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  await runOrExit(process.platform === 'win32' ? 'npm.cmd' : 'npm', args)
}

/**
 * What differs between package-lock.json and npm's own record of node_modules, which npm writes last.
 *
 * @returns {string | null} null: nothing
 */
function missingPackage() {
  const wanted = lockedPackages('package-lock.json')
  if (wanted === null) throw new Error('package-lock.json is missing')
  const present = lockedPackages('node_modules/.package-lock.json')
  if (present === null) return 'none are there yet'
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    // Optional packages for other platforms are left out on purpose.
    if (path === '' || optional === true) continue
    if (present[path]?.version !== version) return `${path.replace(/^.*node_modules\//, '')} ${version} is missing`
  }
  return null
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | null}
 */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, file), 'utf8')).packages
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
