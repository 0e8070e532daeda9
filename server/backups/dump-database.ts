import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { appliedMigrations } from '../db/migrate'
import { VAPID_FILE } from '../services/push/vapid-keys'
import { type BackupEnd, type KeptSecret, readTables, writeMark } from './backup-lines'

/** Rows that are fetched at a time. */
const ROWS_PER_BATCH = 2000

interface Dumped {
  readonly engine: 'pglite' | 'postgres'
  /** Secrets of the data folder; null: no secrets, the database's own neither. */
  readonly secrets: readonly KeptSecret[] | null
  /** Called with the last line's content. */
  readonly onEnd: (end: BackupEnd) => void
}

/**
 * The text of a backup, in parts of whole lines. All rows are those of one moment: the caller's transaction must be
 * REPEATABLE READ.
 */
export async function* dumpDatabase(client: PoolClient, { engine, secrets, onEnd }: Dumped): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const hashed = (text: string): string => {
    hash.update(text)
    return text
  }
  const rows: Record<string, number> = {}
  const { rows: moments } = await client.query<{ now: Date }>('SELECT now()')
  const created_at = moments[0]!.now.toISOString()
  const migrations = await appliedMigrations(client)
  yield hashed(writeMark(['backup', { version: 1, created_at, engine, migrations, secrets: secrets !== null }]))
  const tables = await readTables(client)
  const stored = secrets === null || !tables.some(isSecret) ? [] : await storedVapidKeys(client)
  for (const secret of [...(secrets ?? []), ...stored]) yield hashed(writeMark(['file', secret]))
  for (const { name, columns } of tables) {
    if (isSecret({ name })) continue
    yield hashed(writeMark(['table', { name, columns }]))
    rows[name] = 0
    for await (const texts of rowsOf(client, name)) {
      rows[name] += texts.length
      yield hashed(texts.map((text) => `${text}\n`).join(''))
    }
  }
  const end = { rows, sha256: hash.digest('hex') }
  yield writeMark(['end', end])
  onEnd(end)
}

/** Server processes on PostgreSQL share their pair of keys by this table. */
const isSecret = ({ name }: { readonly name: string }): boolean => name === 'vapid_keys'

/** As the data folder keeps the pair: the embedded database reads it there, and PostgreSQL's processes take it from there. */
async function storedVapidKeys(client: PoolClient): Promise<KeptSecret[]> {
  const { rows } = await client.query<{ public_key: string; private_key: string }>(
    'SELECT public_key, private_key FROM vapid_keys WHERE private_key IS NOT NULL',
  )
  return rows.map(({ public_key: publicKey, private_key: privateKey }) => ({
    name: VAPID_FILE,
    text: JSON.stringify({ publicKey, privateKey }),
  }))
}

async function* rowsOf(client: PoolClient, table: string): AsyncGenerator<readonly string[]> {
  await client.query(`DECLARE dump NO SCROLL CURSOR FOR SELECT row_to_json(row)::text AS text FROM "${table}" AS row`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${ROWS_PER_BATCH} FROM dump`)
    if (rows.length === 0) break
    yield rows.map(({ text }) => text)
  }
  await client.query('CLOSE dump')
}
