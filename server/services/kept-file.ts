import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
