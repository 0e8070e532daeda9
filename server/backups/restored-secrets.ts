import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Secrets come with the database's own folder, so that one rename makes all of a restore visible; whichever process next holds
 * the data folder puts them into their places.
 */
const FOLDER = 'postgres/restored-secrets'

/** @param root of a data folder that is being made */
export function packSecrets(root: string, secrets: readonly { readonly name: string; readonly text: string }[]): void {
  if (secrets.length === 0) return
  mkdirSync(join(root, FOLDER), { mode: 0o700 })
  for (const { name, text } of secrets) {
    writeFileSync(join(root, FOLDER, name), text, { mode: 0o600, flush: true })
  }
}

/** Puts the secrets of a restored database into the data folder, where those that are there already stay. */
export function unpackSecrets(root: string): void {
  const folder = join(root, FOLDER)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!existsSync(join(root, name))) linkSync(join(folder, name), join(root, name))
  }
  rmSync(folder, { recursive: true })
}
