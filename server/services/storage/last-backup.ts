import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const note = z.object({ finished_at: z.iso.datetime(), file: z.string(), bytes: z.number() })

/**
 * When the last backup was complete, as the program that wrote it noted in DATA_DIR/backup.json. Milliseconds since 1970;
 * null: none is known of.
 */
export function lastBackupAt(dataDir: string): number | null {
  let text: string
  try {
    text = readFileSync(join(dataDir, 'backup.json'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const read = note.safeParse(parsed(text))
  return read.success ? Date.parse(read.data.finished_at) : null
}

/** A note that was cut off by a crash is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
