import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { restoreBackup } from '../../server/backups/restore-backup'
import { openDatabase } from '../../server/db/open'
import { filesWithMadeDatabase } from './support/prepared-folder'
import { temporaryFolder } from './support/for-file'

type Row = Readonly<Record<string, unknown>>

/** A backup as the release with migration 0014 wrote it: each column of each table has a value in some row. Never changed. */
const OF_0014 = readFileSync(new URL('support/backup-0014.txt', import.meta.url), 'utf8')

/** The same rows as the release with migration 0012 wrote them: without the columns that 0013 and 0014 add at the end. */
function backupOf0012(): string {
  const end = OF_0014.lastIndexOf('["end"')
  const body = OF_0014.slice(0, end)
    .replace(',1795398004172,1795400337096', '')
    .replace(/,"(back_at|used_at)"(:"[^"]*")?(?=[\]}])/g, '')
  const sha256 = createHash('sha256').update(body).digest('hex')
  return body + OF_0014.slice(end).replace(/(?<="sha256":")\w+/, sha256)
}

function tablesOf(backup: string): { name: string; columns: string[]; rows: Row[] }[] {
  const tables: ReturnType<typeof tablesOf> = []
  for (const line of backup.trimEnd().split('\n')) {
    const parsed = JSON.parse(line) as
      | Row
      | ['table', { name: string; columns: string[] }]
      | ['backup' | 'end', unknown]
    if (!Array.isArray(parsed)) tables.at(-1)?.rows.push(parsed)
    else if (parsed[0] === 'table') tables.push({ ...parsed[1], rows: [] })
  }
  return tables
}

const root = temporaryFolder()

async function restoreAndCompare(backup: string): Promise<void> {
  const files = await filesWithMadeDatabase()
  const place = { DATABASE_URL: undefined, DATA_DIR: mkdtempSync(join(root, 'place-')) }
  const file = `${place.DATA_DIR}.gz`
  writeFileSync(file, gzipSync(backup))
  await restoreBackup(place, files, file)
  // The start after a restore applies the migrations that the backup lacked.
  const database = await openDatabase(place, files, { durable: false })
  await database.pool.query("SET TIME ZONE 'UTC'")
  for (const { name, columns, rows } of tablesOf(backup)) {
    expect(
      columns.filter((column) => rows.every((row) => row[column] === null)),
      `columns without a value in ${name}`,
    ).toEqual([])
    const { rows: restored } = await database.pool.query<{ row: Row }>(`SELECT row_to_json(t) AS row FROM "${name}" t`)
    const texts = (all: readonly Row[]) =>
      all.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted()
    expect(texts(restored.map(({ row }) => row)), name).toEqual(texts(rows))
  }
  await database.close()
}

/** Databases are opened and migrated, which takes seconds of processor time: the limit ends what hangs. Milliseconds. */
const LIMIT = 120_000

test(
  'a backup made at migration 0014 is restored into today’s tables with every value of every column',
  () => restoreAndCompare(OF_0014),
  LIMIT,
)

test(
  'a backup made at migration 0012 is restored into today’s tables with every value of every column',
  { tags: ['full'], timeout: LIMIT },
  () => restoreAndCompare(backupOf0012()),
)
