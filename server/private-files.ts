import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimFolder, requireOwnFolder } from './data-folder'

/**
 * The text of a file that is made once, and that only its owner can read.
 * @throws Error when it cannot be read or made
 */
export function keptFile(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  return read(file) ?? write(folder, file, make())
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Written whole and then linked into its place, so that of several processes that start at once all get the first's. */
function write(folder: string, file: string, text: string): string {
  claimFolder(folder)
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return read(file) ?? ''
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Permissions of a file's group and of all others. */
const OTHERS = 0o077

/**
 * From here on, what this process and its threads make is accessible to their user alone; so is all that lies in
 * `folder` already, which an earlier version may have left open to others.
 * @returns what stays open to others, because this user may not change it
 * @throws ForeignFolderError where the folder is another program's
 */
export function keepPrivate(folder: string): readonly string[] {
  requireOwnFolder(folder)
  process.umask(OTHERS)
  if (!existsSync(folder)) return []
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((entry) => join(folder, entry))
  return [folder, ...inside].filter((path) => !close(path))
}

/** Execute permissions of the user stay: DATA_DIR may hold files of others. A symbolic link has none of its own. */
function close(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return true
  try {
    chmodSync(path, found.mode & 0o700)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return true
    if (code === 'EPERM' || code === 'EACCES' || code === 'EROFS') return false
    throw error
  }
}
