import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Permissions of a file's group and of all others. */
const OTHERS = 0o077

/**
 * From here on, what this process and its threads make is accessible to their user alone; so is all that lies in
 * `folder` already, which an earlier version may have left open to others.
 * @returns what stays open to others, because this user may not change it
 */
export function keepPrivate(folder: string): readonly string[] {
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
