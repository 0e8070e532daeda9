import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Balancer, startBalancer } from '../server/support/balancer'
import { newGuest } from '../server/support/guest'
import { bundledServer } from '../server/support/program-files'
import { type ServerProcess, startServer } from '../server/support/server-process'
import { openStream, type StreamClient } from '../server/support/stream-client'
import { emptyDatabase } from '../server/support/test-storage'

/**
 * Two web processes and a worker on one PostgreSQL behind a balancer, under mixed requests: each is replaced by this version, one after
 * the other, and afterwards by the older one again. UPGRADE_FROM names the older builds: folders `dist` beside a node_modules, with commas
 * between them.
 */
const url = process.env['TEST_DATABASE_URL'] ?? ''
const OLDER = (process.env['UPGRADE_FROM'] ?? '').split(',').filter(Boolean)
const SAME = 'this build'
/** Requests a second. */
const RATE = 100
const GUESTS = 40
const STREAMS = 6
/** Between two replacements. Milliseconds. */
const PAUSE = 3_000

interface Wanderer {
  readonly headers: Readonly<Record<string, string>>
  readonly widget: string
  /** The threshold of the last acknowledged change, and of the last that was sent. */
  acknowledged: number
  sent: number
  isChanging: boolean
}

/** Requests of guests through the balancer, at a steady rate whatever the answers are. */
class Traffic {
  readonly statuses: Record<string, number> = {}
  readonly wrong: string[] = []
  longestGap = 0
  slowest = 0
  readonly #guests: Wanderer[] = []
  readonly #under = new Set<Promise<void>>()
  #answeredAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  async begin(): Promise<void> {
    for (let n = 0; n < GUESTS; n++) {
      const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
      const made = await this.#ask(headers, 'POST', '/widgets', { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })
      this.#guests.push({ headers, widget: (made as { id: string }).id, acknowledged: 0, sent: 0, isChanging: false })
    }
    this.#answeredAt = performance.now()
    let turn = 0
    this.#timer = setInterval(() => {
      const one = this.#next(turn++).catch(
        (error: Error) => void this.wrong.push(`${error.message}: ${String(error.cause)}`),
      )
      this.#under.add(one)
      void one.finally(() => this.#under.delete(one))
    }, 1000 / RATE)
  }

  async #next(turn: number): Promise<void> {
    const guest = this.#guests[turn % GUESTS]!
    const kind = Math.floor(turn / GUESTS) % 4
    if (kind === 3) await this.#ask(guest.headers, 'GET', '/config')
    else if (kind === 1 && !guest.isChanging) await this.#change(guest)
    else await this.#ask(guest.headers, 'GET', '/widgets')
  }

  async #change(guest: Wanderer): Promise<void> {
    guest.isChanging = true
    try {
      guest.sent += 1
      const body = { high_threshold: guest.sent }
      if ((await this.#ask(guest.headers, 'PUT', `/widgets/${guest.widget}`, body)) !== null)
        guest.acknowledged = guest.sent
    } finally {
      guest.isChanging = false
    }
  }

  async #ask(headers: Wanderer['headers'], method: string, path: string, body?: object): Promise<unknown> {
    const began = performance.now()
    const answer = await fetch(`${this.#base}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'idempotency-key': randomUUID() }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const now = performance.now()
    this.longestGap = Math.max(this.longestGap, now - this.#answeredAt)
    this.slowest = Math.max(this.slowest, now - began)
    this.#answeredAt = now
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    if (answer.ok) return JSON.parse(text) as unknown
    this.wrong.push(`${method} ${path}: ${answer.status} ${text}`)
    return null
  }

  /** @returns acknowledged changes that the server does not have */
  async end(): Promise<string[]> {
    clearInterval(this.#timer)
    await Promise.all(this.#under)
    const lost: string[] = []
    for (const guest of this.#guests) {
      const [widget] = (await this.#ask(guest.headers, 'GET', '/widgets')) as { high_threshold: number }[]
      if ((widget?.high_threshold ?? 0) < guest.acknowledged)
        lost.push(`${guest.widget}: ${widget?.high_threshold} instead of ${guest.acknowledged}`)
    }
    return lost
  }
}

/** Streams that connect again when they are told to, as apps do. */
function keepStreams(base: string) {
  const stopping = new AbortController()
  // Each stream that follows another waits for it.
  setMaxListeners(0, stopping.signal)
  const open = new Set<StreamClient>()
  const refused: string[] = []
  let opened = 0
  const keep = async () => {
    while (!stopping.signal.aborted) {
      try {
        const stream = await openStream(base, { 'x-anonymous-user-id': newGuest() })
        await stream.next('open')
        opened += 1
        open.add(stream)
        await Promise.race([stream.ended, new Promise((resolve) => stopping.signal.addEventListener('abort', resolve))])
        open.delete(stream)
        stream.close()
      } catch (error) {
        if (stopping.signal.aborted) return
        refused.push(String(error))
        await delay(200)
      }
    }
  }
  const all = Array.from({ length: STREAMS }, keep)
  return {
    refused,
    opened: () => opened,
    end: async () => {
      stopping.abort()
      await Promise.all(all)
      for (const stream of open) stream.close()
    },
  }
}

test.skipIf(url === '').each(OLDER.length > 0 ? OLDER : [SAME])(
  'two web processes and a worker are replaced and rolled back one after the other: no error, no acknowledged change lost (%s)',
  { timeout: 300_000 },
  async (from) => {
    if (from === SAME) console.log('UPGRADE_FROM names no older build: processes of the same build replace each other')
    const older = from === SAME ? bundledServer() : join(resolve(from), 'server/main.js')
    expect(existsSync(older), older).toBe(true)
    const storage = await emptyDatabase(url)
    const variables = { ...storage.variables, SHUTDOWN_GRACE_SECONDS: '5' }
    const balancer = await startBalancer()
    const running: ServerProcess[] = []
    try {
      const places = [
        place(balancer, variables, 'web', running),
        place(balancer, variables, 'web', running),
        place(balancer, variables, 'worker', running),
      ]
      for (const { replace } of places) await replace(older)
      const traffic = new Traffic(balancer.url)
      await traffic.begin()
      const streams = keepStreams(balancer.url)
      const canGoBack = startsOnNewer(older)
      if (!canGoBack)
        console.log(`${from} refuses the database of a newer version: it is upgraded, and not rolled back to`)
      for (const program of canGoBack ? [bundledServer(), older] : [bundledServer()]) {
        for (const { replace } of places) {
          await replace(program)
          await delay(PAUSE)
        }
      }
      await streams.end()
      const lost = await traffic.end()
      const { statuses, longestGap, slowest, wrong } = traffic
      const cut = balancer.cut.filter((what) => !what.includes('/stream'))
      const figures = { statuses, lost: lost.length, longestGap: Math.round(longestGap), slowest: Math.round(slowest) }
      const name = from === SAME ? SAME : basename(dirname(resolve(from)))
      console.log(
        `${name}: ${JSON.stringify({ ...figures, cut, streams: streams.opened(), refused: streams.refused.length })}`,
      )
      expect(wrong).toEqual([])
      expect(lost).toEqual([])
      expect(cut).toEqual([])
      expect(statuses['200']).toBeGreaterThan(RATE * 10)
    } finally {
      await balancer.close()
      for (const server of running) await server.end('SIGKILL')
      await storage.remove()
    }
  },
)

/** True if a build has all our migrations, or looks whether those that it does not know only add. */
function startsOnNewer(program: string): boolean {
  const migrationsOf = (main: string) => readdirSync(join(dirname(main), 'migrations')).length
  return readFileSync(program, 'utf8').includes('only_adds') || migrationsOf(program) === migrationsOf(bundledServer())
}

/** A place in the cluster, in which one process follows the other. */
function place(
  balancer: Balancer,
  variables: Readonly<Record<string, string>>,
  role: 'web' | 'worker',
  running: ServerProcess[],
) {
  let current: ServerProcess | null = null
  const replace = async (program: string) => {
    if (current !== null) {
      expect(await current.end('SIGTERM')).toEqual({ code: 0 })
      running.splice(running.indexOf(current), 1)
      balancer.remove(current.url)
    }
    current = await startServer(variables, ['--role', role], program)
    running.push(current)
    if (role === 'worker') return
    balancer.add(current.url)
    await balancer.ready(running.filter(({ url }) => url !== '').length)
  }
  return { replace }
}
