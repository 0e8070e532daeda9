import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import type { FastifyBaseLogger } from 'fastify'
import { expect, test, vi } from 'vitest'
import { overview, type Overview } from '../../src/contract/admin'
import { guestMetrics } from '../../server/services/guest-metrics'
import { lastBackupAt, storageFigures, storageMetrics } from '../../server/services/storage-figures'

import { temporaryFolder, withServer } from './support/for-file'

const folder = temporaryFolder()
const FINISHED = '2026-11-22T21:00:00.000Z'
const server = withServer({ env: { DATA_DIR: folder, BACKUP_SCHEDULE: `${folder},12h,3` } })

const note = (text: string) => writeFileSync(join(folder, 'backup.json'), text)

async function look(): Promise<NonNullable<Overview['storage']>> {
  const boss = await server.operator()
  return overview.parse((await boss.ask('GET', '/admin/overview')).body).storage!
}

async function metrics(): Promise<Map<string, number>> {
  const registry = new Registry()
  storageMetrics(registry, server.database, { DATA_DIR: folder })
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

test('the admin overview and /metrics tell the sizes of the database, its log and the disk of DATA_DIR', async () => {
  const storage = await look()
  expect(storage.engine).toBe(server.database.engine)
  expect(storage.database_bytes).toBeGreaterThan(1_000_000)
  expect(storage.log_bytes).toBeGreaterThan(1_000_000)
  expect(storage.disk_bytes).toBeGreaterThan(storage.disk_free_bytes!)
  const measured = await metrics()
  expect(measured.get('storage_bytes{of="disk"}')).toBe(storage.disk_bytes)
  for (const of of ['database', 'log', 'disk_free'])
    expect(measured.get(`storage_bytes{of="${of}"}`), of).toBeGreaterThan(0)
})

test('the admin overview and /metrics tell when the last backup was complete, and of none where there is no note or half of one', async () => {
  expect(await look()).toMatchObject({ last_backup_at: null, backup_every_seconds: 43_200 })
  expect((await metrics()).get('backup_last_finished_timestamp_seconds')).toBeNaN()
  note(JSON.stringify({ finished_at: FINISHED, file: '/backups/one.gz', bytes: 12 }))
  expect((await look()).last_backup_at).toBe(FINISHED)
  expect((await metrics()).get('backup_last_finished_timestamp_seconds')).toBe(Date.parse(FINISHED) / 1000)
  note('{"finished_at": "2026-')
  expect(lastBackupAt(folder)).toBeNull()
  note(JSON.stringify({ finished_at: 'yesterday', file: '', bytes: 1 }))
  expect(lastBackupAt(folder)).toBeNull()
})

test.skipIf((process.env['TEST_DATABASE_URL'] ?? '') === '')(
  'on PostgreSQL the size of the log is not told to a database user who may not see it, and that of the database is',
  async () => {
    const { pool, orm } = server.database
    const role = `reader_${process.pid}`
    await pool.query(`CREATE ROLE ${role}`)
    try {
      await orm.transaction(async (tx) => {
        await tx.execute(`SET LOCAL ROLE ${role}`)
        expect(await storageFigures(tx)).toEqual({ database: expect.any(Number), log: null })
      })
    } finally {
      await pool.query(`DROP ROLE ${role}`)
    }
  },
)

test('without a database /metrics still answers, with sizes and guests that are not known and the disk’s, and the log says why', async () => {
  const registry = new Registry()
  const gone = () => Promise.reject(new Error('gone'))
  const from = { from: () => ({ where: gone }) }
  const orm = { execute: gone, select: () => from } as unknown as typeof server.database.orm
  const warn = vi.fn()
  const logger = { warn } as unknown as FastifyBaseLogger
  storageMetrics(registry, { orm }, { DATA_DIR: folder }, logger)
  guestMetrics(registry, { orm }, { RATE_LIMIT_FACTOR: 1 }, () => 0, logger)
  const text = await registry.metrics()
  expect(text).toContain('storage_bytes{of="database"} Nan')
  expect(text).toMatch(/storage_bytes\{of="disk"\} \d+/)
  expect(text).toContain('guests_made{within="hour"} Nan')
  const causes = ['storage_bytes', 'guests_made'].map((metric) => [
    { metric, err: new Error('gone') },
    expect.any(String),
  ])
  expect(warn.mock.calls).toEqual(expect.arrayContaining(causes))
})
