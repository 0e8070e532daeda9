import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { PoolClient } from 'pg'
import * as z from 'zod'
import { VAPID_FILE } from '../services/push/vapid-keys'
import { JWT_SECRET_FILE } from '../services/sessions/access-token'

/** Every table but the list of migrations, each after those that it refers to. */
export async function readTables(client: PoolClient): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
     GROUP BY c.relname ORDER BY c.relname`,
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `SELECT f.relname AS from, t.relname AS to FROM pg_constraint k
     JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conrelid <> k.confrelid`,
  )
  const ordered: Table[] = []
  const isPlaced = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name }) => !isPlaced(name) && references.every(({ from, to }) => from !== name || isPlaced(to)),
    )
    if (next.length === 0) throw new Error('Tables refer to one another in a circle, so none can be restored first.')
    ordered.push(...next)
  }
  return ordered
}

/*
 * A backup is gzipped text of lines. A line that begins with `{` is a row of the table that was named last, as PostgreSQL
 * writes it (row_to_json); every other line is a mark: a JSON array of its kind and its content.
 */

/** A table or a column, as our schema names them: such a name ends no quotes in a statement. */
const sqlName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
/** More tables, columns and migrations than any version has. */
const MOST_NAMES = 500

const header = z.strictObject({
  version: z.literal(1),
  /** ISO 8601: the moment that the rows are of. */
  created_at: z.string(),
  engine: z.enum(['pglite', 'postgres']),
  /** The migrations that the database had, by their times: the rows fit the tables that those make. */
  migrations: z.array(z.int()).max(MOST_NAMES),
  /** True: keys and secrets that the server process made for itself are included. */
  secrets: z.boolean(),
})

/** A secret that the server process keeps in its data folder. */
const keptFile = z.strictObject({ name: z.enum([JWT_SECRET_FILE, VAPID_FILE]), text: z.string().max(4_096) })
export type KeptSecret = z.infer<typeof keptFile>

const table = z.strictObject({ name: sqlName, columns: z.array(sqlName).min(1).max(MOST_NAMES) })
export type Table = z.infer<typeof table>
const end = z.strictObject({
  /** Number of rows by table. */
  rows: z.record(sqlName, z.int()),
  /** Hexadecimal, of all bytes before this line. */
  sha256: z.string().length(64),
})
export type BackupEnd = z.infer<typeof end>

const mark = z.union([
  z.tuple([z.literal('backup'), header]),
  z.tuple([z.literal('file'), keptFile]),
  z.tuple([z.literal('table'), table]),
  z.tuple([z.literal('end'), end]),
])
export type BackupMark = z.infer<typeof mark>

export const writeMark = (mark: BackupMark): string => `${JSON.stringify(mark)}\n`

/** No database can be restored from the file. */
export class DamagedBackupError extends Error {
  override readonly name = 'DamagedBackupError'
}

/** A row, unparsed: numbers and times pass as PostgreSQL wrote them. */
export type BackupLine = { readonly row: string } | { readonly mark: BackupMark }

/**
 * Reads a backup's text.
 * @throws DamagedBackupError at an unreadable line, for another checksum or number of rows, and where the end is missing
 */
export async function* readLines(text: Readable): AsyncGenerator<BackupLine> {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  let current: string | null = null
  let first = true
  const secrets = new Set<string>()
  for await (const line of linesOf(text)) {
    if (line.startsWith('{')) {
      if (current === null) throw new DamagedBackupError('The backup is damaged: a row stands before its table.')
      rows[current] = (rows[current] ?? 0) + 1
      hash.update(line).update('\n')
      yield { row: line }
      continue
    }
    const mark = parseMark(line)
    if (mark === null || first !== (mark[0] === 'backup'))
      throw new DamagedBackupError(first ? NO_BACKUP : 'The backup is damaged: a line cannot be read.')
    first = false
    const [kind, content] = mark
    if (kind === 'table') {
      if (Object.hasOwn(rows, content.name)) throw new DamagedBackupError('The backup is damaged: a table comes twice.')
      rows[(current = content.name)] = 0
    }
    if (kind === 'file') {
      if (secrets.has(content.name)) throw new DamagedBackupError('The backup is damaged: a secret comes twice.')
      secrets.add(content.name)
    }
    if (kind === 'end') {
      if (content.sha256 !== hash.digest('hex'))
        throw new DamagedBackupError('The backup is damaged: its checksum is another.')
      if (JSON.stringify(content.rows) !== JSON.stringify(rows))
        throw new DamagedBackupError('The backup is damaged: rows are missing.')
      yield { mark }
      return
    }
    hash.update(line).update('\n')
    yield { mark }
  }
  throw new DamagedBackupError(first ? NO_BACKUP : 'The backup is damaged: its end is missing.')
}

const NO_BACKUP = 'This file is no backup of this program.'

function parseMark(line: string): BackupMark | null {
  try {
    const parsed = mark.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    // No JSON.
    return null
  }
}

const NEWLINE = 0x0a
/** Bytes of a line: many times the longest row, a mail's or a feedback's, and of all that is ever held of a file. */
const LONGEST_LINE = 1_000_000

/** Splits at line feeds alone: Node's readline splits at U+2028 too, which may stand in what a user wrote. */
async function* linesOf(text: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let held = 0
  for await (const chunk of text as AsyncIterable<Buffer>) {
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, at))
      yield parts.length === 1 ? parts[0]!.toString() : Buffer.concat(parts).toString()
      parts = []
      held = 0
      start = at + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    held += chunk.length - start
    if (held > LONGEST_LINE) throw new DamagedBackupError('This file is no backup of this program: a line is too long.')
  }
  if (parts.length > 0) throw new DamagedBackupError('The backup is damaged: its last line is cut off.')
}
