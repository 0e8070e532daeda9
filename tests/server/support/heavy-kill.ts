import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../server/db/open'
import { bundledProgram, testProgramFiles } from './program-files'
import { startServer } from './server-process'

export interface HeavySetup {
  readonly DATA_DIR: string
  readonly pgliteWorker: string
  readonly migrations: string
  readonly writers: number
  /** Bytes of each write. */
  readonly size: number
}

export interface HeavyReport {
  readonly written: number
  /** Acknowledged writes that are not there, in words; must be empty. */
  readonly lost: readonly string[]
  /** The longest that pg_wal was, and what the kill left of it. Bytes. */
  readonly longestLog: number
  readonly logLeft: number
  /** From the start of the server's process until it was ready, milliseconds. */
  readonly restart: number
  /** The same after a stop by SIGTERM, for comparison. */
  readonly cleanStart: number
}

const WRITERS = 8
const SIZE = 64_000

/** Eight writers write this much through the embedded database, are killed with kill -9, and a server starts after them. */
export async function heavyKill(DATA_DIR: string, bytes: number): Promise<HeavyReport> {
  const { pgliteWorker, migrations } = testProgramFiles()
  const setup: HeavySetup = { DATA_DIR, pgliteWorker: pgliteWorker.href, migrations, writers: WRITERS, size: SIZE }
  const child = fork(bundledProgram('tests/server/support/heavy-writers.ts'), [JSON.stringify(setup)])
  const exited = once(child, 'exit')
  const acknowledged = Array.from({ length: WRITERS }, () => 0)
  const log = () => sizeOf(join(DATA_DIR, 'postgres/pg_wal'))
  let writes = 0
  let longestLog = 0
  child.on('message', ({ writer, number }: { writer: number; number: number }) => {
    acknowledged[writer] = number
    writes += 1
    if (writes % 50 === 0) longestLog = Math.max(longestLog, log())
    if (writes * SIZE >= bytes) child.kill('SIGKILL')
  })
  const [, signal] = (await exited) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error('The writers ended by themselves')
  const logLeft = log()

  const restart = await startTime(DATA_DIR)
  const cleanStart = await startTime(DATA_DIR)

  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR }, testProgramFiles())
  const { rows } = await database.pool.query<{ writer: number; number: number }>('SELECT writer, number FROM heavy')
  await database.close()
  const lost = acknowledged.flatMap((number, writer) => {
    const there = rows.find((row) => row.writer === writer)?.number ?? -1
    return there >= number ? [] : [`writer ${writer}: ${number} was acknowledged, ${there} is there`]
  })
  return { written: writes * SIZE, lost, longestLog, logLeft, restart, cleanStart }
}

/** Milliseconds. */
async function startTime(DATA_DIR: string): Promise<number> {
  const begun = performance.now()
  const server = await startServer({ DATA_DIR })
  const took = performance.now() - begun
  await server.end('SIGTERM')
  return Math.round(took)
}

function sizeOf(folder: string): number {
  let size = 0
  for (const name of readdirSync(folder)) {
    // A file may have been renamed or removed since.
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found?.isFile()) size += found.size
  }
  return size
}
