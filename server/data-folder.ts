import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The file by which a data folder is known. */
const MARK = 'ratio-tracker'
const MARK_TEXT =
  'The data folder of a ratio tracker. The server takes a folder without this file for another program’s.\n'

/** Names that servers before the mark gave to what they made. */
const NAMES =
  /^(postgres(\.new)?|restore|snapshot.*|lock\.sock|jwt-secret|vapid-keys\.json|backup\.json|mails|customers)$/
/** Of these, names that no other program would give. */
const OWN_NAMES = ['jwt-secret', 'vapid-keys.json', 'backup.json', 'lock.sock']
/** File systems have it at their top, where a volume is mounted. */
const LOST_AND_FOUND = 'lost+found'

/** DATA_DIR names a folder that holds something else. */
export class ForeignFolderError extends Error {
  override readonly name = 'ForeignFolderError'
  constructor(folder: string) {
    super(
      `DATA_DIR ${folder} holds something else: it is neither empty nor a data folder of this program. Nothing in it was changed.`,
    )
  }
}

/**
 * Refuses a folder that is another's, before anything in it is made, locked or closed to others. A folder that is not there
 * is nobody's.
 * @throws ForeignFolderError
 */
export function requireOwnFolder(dataDir: string): void {
  const folder = resolve(dataDir)
  if (!existsSync(folder)) return
  const entries = readdirSync(folder).filter((name) => name !== LOST_AND_FOUND)
  const isOurs =
    entries.includes(MARK) ||
    entries.every((name) => NAMES.test(name)) ||
    (existsSync(join(folder, 'postgres/PG_VERSION')) && OWN_NAMES.some((name) => entries.includes(name)))
  if (!isOurs) throw new ForeignFolderError(folder)
}

/**
 * Makes the folder where it is not there. Its first mark waits until the caller holds its lock: another process's folder
 * stays as it is.
 * @returns its absolute path
 * @throws ForeignFolderError
 */
export function makeFolder(dataDir: string): string {
  const folder = resolve(dataDir)
  requireOwnFolder(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Makes the folder where it is not there, and marks it as ours.
 * @returns its absolute path
 * @throws ForeignFolderError
 */
export function claimFolder(dataDir: string): string {
  const folder = makeFolder(dataDir)
  if (!existsSync(join(folder, MARK))) writeFileSync(join(folder, MARK), MARK_TEXT, { mode: 0o600 })
  return folder
}

/**
 * Leaves a claimed folder, in which nothing else was made, as it was before.
 * @param before its entries; null: it was not there
 */
export function giveUpFolder(folder: string, before: readonly string[] | null): void {
  if (before?.includes(MARK) !== true) rmSync(join(folder, MARK), { force: true })
  if (before === null && readdirSync(folder).length === 0) rmdirSync(folder)
}
