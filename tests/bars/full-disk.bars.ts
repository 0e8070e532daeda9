import { expect, test } from 'vitest'
import { seeded } from '../server/support/seeded'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Widget } from '../../src/contract/widget'
import { fullDisk } from '../server/support/full-disk'
import { fillFolder } from '../server/support/prepared-folder'
import { type ServerProcess, startServer } from '../server/support/server-process'
import { newGuest } from '../server/support/guest'

interface FullDiskReport {
  readonly rounds: number
  readonly acknowledged: number
  /** How often the server ended and was started again. */
  readonly restarts: number
  /** Acknowledged writes that were not there afterwards, in words; must be empty. */
  readonly lost: readonly string[]
  /** Longest time from when there was room again until every writer had a write acknowledged. Milliseconds. */
  readonly slowest: number
}

interface Options {
  readonly rounds: number
  /** How long the disk is full in each. */
  readonly seconds: number
  readonly random: () => number
  readonly log: (line: string) => void
}

/** A file system of its own in memory; null where this user may not mount one. */
function smallDisk(): { readonly path: string; remove(): void } | null {
  const path = mkdtempSync(join(tmpdir(), 'ratio-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  const remove = () => {
    execFileSync('umount', [path])
    rmSync(path, { recursive: true })
  }
  return { path, remove }
}

const WRITERS = 8
/** As systemd would with Restart=always. Milliseconds. */
const RESTART_AFTER = 1_000

interface Writer {
  readonly headers: Readonly<Record<string, string>>
  readonly widget: string
  /** The threshold that was acknowledged last, and the one that was sent last. */
  acknowledged: number
  sent: number
}

/**
 * Fills the disk of a server again and again at a random moment, while guests write, and gives it room again. A
 * supervisor starts the server whenever it has ended.
 */
async function fullDiskRounds(disk: string, { rounds, seconds, random, log }: Options): Promise<FullDiskReport> {
  const DATA_DIR = join(disk, 'data')
  mkdirSync(DATA_DIR)
  await fillFolder(DATA_DIR)
  const broken = fullDisk()
  let server = await startServer({ DATA_DIR, ...broken.variables })
  const { url } = server
  const variables = { DATA_DIR, PORT: new URL(url).port, ...broken.variables }
  let restarts = 0
  const stopping = new AbortController()
  const supervise = async () => {
    while (!stopping.signal.aborted) {
      await server.ended
      while (!stopping.signal.aborted) {
        await sleep(RESTART_AFTER)
        const next = await startServer(variables).catch((): ServerProcess | null => null)
        restarts += 1
        if (next === null) continue
        server = next
        break
      }
    }
  }

  const writers: Writer[] = []
  for (let made = 0; made < WRITERS; made++) {
    const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
    const body = JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum', high_threshold: 1 })
    const answer = await fetch(`${url}/api/v1/widgets`, { method: 'POST', headers, body })
    writers.push({ headers, widget: ((await answer.json()) as Widget).id, acknowledged: 1, sent: 1 })
  }
  let acknowledged = 0
  const write = async (writer: Writer) => {
    while (!stopping.signal.aborted) {
      writer.sent += 1
      const mine = writer.sent
      const body = JSON.stringify({ high_threshold: mine })
      const status = await fetch(`${url}/api/v1/widgets/${writer.widget}`, {
        method: 'PUT',
        headers: writer.headers,
        body,
      }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => null,
      )
      if (status === 200) {
        writer.acknowledged = mine
        acknowledged += 1
      } else await sleep(100)
    }
  }
  const supervised = supervise()
  const writing = writers.map(write)

  const lost: string[] = []
  let slowest = 0
  const filler = join(disk, 'filler')
  for (let round = 1; round <= rounds; round++) {
    await sleep(1_000 + random() * 4_000)
    // In every second round no write succeeds at all, not even one of blocks that the server has already.
    if (round % 2 === 0) broken.fill()
    const full = fill(filler)
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(500)) full.again()
    full.close()
    rmSync(filler)
    broken.freeSpace()
    const begun = performance.now()
    const before = writers.map((writer) => writer.acknowledged)
    while (writers.some((writer, index) => writer.acknowledged === before[index])) await sleep(50)
    const took = performance.now() - begun
    slowest = Math.max(slowest, took)
    for (const [index, writer] of writers.entries()) {
      const known = writer.acknowledged
      const answer = await fetch(`${url}/api/v1/widgets`, { headers: writer.headers })
      const [widget] = (await answer.json()) as Widget[]
      if ((widget?.high_threshold ?? 0) < known)
        lost.push(`round ${round}, writer ${index}: ${known} was acknowledged, ${widget?.high_threshold} is there`)
    }
    log(
      `round ${round}: serving again after ${Math.round(took)} ms, ${restarts} restarts so far, ${acknowledged} writes acknowledged`,
    )
  }
  stopping.abort()
  await Promise.all(writing)
  await server.end('SIGTERM')
  await supervised
  broken.remove()
  return { rounds, acknowledged, restarts, lost, slowest: Math.round(slowest) }
}

/** Writes until there is no room, and what becomes free again, too. */
function fill(file: string) {
  const handle = openSync(file, 'w')
  const again = () => {
    for (const size of [1_000_000, 4_096]) {
      const zeros = Buffer.alloc(size)
      try {
        while (writeSync(handle, zeros) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  }
  again()
  return { again, close: () => closeSync(handle) }
}

/** Twenty times for a minute; a file system of its own has to be mounted, which takes root on Linux. */
const ROUNDS = Number(process.env['FULL_DISK_ROUNDS'] ?? 20)
const SECONDS = Number(process.env['FULL_DISK_SECONDS'] ?? 60)
const SERVING_AGAIN = 15_000

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

test('a disk that is full for a minute at a random moment, again and again, costs the embedded database no acknowledged row, and the server serves again within 15 s', async ({
  skip,
}) => {
  const disk = smallDisk()
  if (disk === null) return skip('a file system of its own cannot be mounted here')
  const log = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const report = await fullDiskRounds(disk.path, { rounds: ROUNDS, seconds: SECONDS, random: seeded(seed), log })
    log(`seed ${seed}: ${JSON.stringify(report)}`)
    expect(report.lost).toEqual([])
    expect(report.restarts).toBeGreaterThan(0)
    expect(report.slowest).toBeLessThan(SERVING_AGAIN)
  } finally {
    disk.remove()
  }
})
