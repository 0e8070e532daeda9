import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { projectRoot } from '../../server/cli/run-command.mjs'
import { newGuest } from '../server/support/guest'
import type { Headers } from '../server/support/person'
import { seeded } from '../server/support/seeded'
import { type ServerProcess, startServer } from '../server/support/server-process'
import { emptyDatabase, readyFolder, type TestStorage } from '../server/support/test-storage'

/** As `npm run build` has made it. */
const PROGRAM = join(projectRoot, 'dist/server/main.js')

const url = process.env['TEST_DATABASE_URL'] ?? ''
const MINUTES = Number(process.env['MINUTES'] ?? 30)
/** Requests a second, at two processes with PostgreSQL and at one with the embedded database. */
const [RATE, EMBEDDED_RATE] = [500, 100]
const GUESTS = 200
const PAIRS = 10
/** Milliseconds. */
const SLOWEST_HUNDREDTH = 100
/** Memory of the last minute by that of the fifth. */
const GROWTH = 1.1

interface Guest {
  readonly identity: Headers
  readonly widgets: readonly string[]
  /** Of the list that this guest has, as its app says it again; null: it has none. */
  etag: string | null
}

/** Asks the servers in turn, at a steady rate whatever they answer, as apps do: most have the list, and ask for what is new. */
async function load(servers: readonly ServerProcess[], rate: number) {
  // As a proxy does, it ends idle connections before the server does: a request never meets the server's end.
  const agent = new Agent({ keepAlive: true, maxSockets: 200, timeout: 60_000 })
  const random = seeded(11)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const statuses: Record<string, number> = {}
  let turn = 0
  const ask = (method: string, path: string, headers: Headers = {}, body?: object) =>
    new Promise<{ readonly status: number; readonly etag: string | null; readonly text: string }>((resolve, reject) => {
      const { url: base } = servers[turn++ % servers.length]!
      const type = body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const sent = request(`${base}${path}`, { agent, method, headers: { ...headers, ...type } }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, etag: answer.headers.etag ?? null, text }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const coins = (JSON.parse((await ask('GET', '/api/v1/coins/supported')).text) as { id: string }[]).map(({ id }) => id)
  const guests: Guest[] = []
  for (let guest = 0; guest < GUESTS; guest++) {
    // Each from a network of its own, as behind a proxy: those of one network take turns.
    const identity = { 'x-anonymous-user-id': newGuest(), 'x-forwarded-for': `10.${guest}.0.1` }
    const widgets: string[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const body = { coin_a_id: coins[pair % 5], coin_b_id: coins[5 + Math.floor(pair / 5) + (guest % 20)] }
      widgets.push((JSON.parse((await ask('POST', '/api/v1/widgets', identity, body)).text) as { id: string }).id)
    }
    guests.push({ identity, widgets, etag: null })
  }

  const one = async () => {
    const guest = pick(guests)
    const kind = random()
    if (kind < 0.5) {
      const held = kind < 0.4 && guest.etag !== null ? { 'if-none-match': guest.etag } : {}
      const answer = await ask('GET', '/api/v1/widgets', { ...guest.identity, ...held })
      guest.etag = answer.etag
      return answer
    }
    if (kind < 0.65) {
      // One in ten is a level that most ratios are above, which the next prices cross.
      const level = (random() < 0.1 ? 1 : 1e6) * (1 + random())
      const alert = { high_threshold: level, notifications_enabled: true }
      return ask('PUT', `/api/v1/widgets/${pick(guest.widgets)}`, guest.identity, alert)
    }
    if (kind < 0.75)
      return ask(
        'GET',
        `/api/v1/coins/${pick(coins)}/historical?period=${random() < 0.5 ? '3m' : '1m'}`,
        guest.identity,
      )
    if (kind < 0.8) return ask('GET', '/api/v1/config', guest.identity)
    if (kind < 0.85) return ask('GET', '/api/v1/alerts', guest.identity)
    return ask('GET', `/api/v3/simple/price?ids=${coins.slice(0, 20).join(',')}&vs_currencies=usd`, guest.identity)
  }

  const all = createHistogram()
  const memories: number[] = []
  const open = new Set<Promise<void>>()
  /** Asks for a minute, and notes what the answers took. */
  const minuteOf = async (...histograms: readonly RecordableHistogram[]) => {
    const begun = performance.now()
    for (let sent = 0; performance.now() - begun < 60_000; await delay(2)) {
      for (; sent < ((performance.now() - begun) * rate) / 1000; sent++) {
        // From when it was to be sent, so that a server which is slow makes those that come after it slow, too.
        const due = begun + (sent * 1000) / rate
        const count = (outcome: number | string) => void (statuses[outcome] = (statuses[outcome] ?? 0) + 1)
        const asked = one()
          .then(({ status }) => count(status))
          .catch((error: NodeJS.ErrnoException) => count(error.code ?? 'error'))
          .finally(() => {
            const took = Math.max(1, Math.round((performance.now() - due) * 1e6))
            for (const histogram of histograms) histogram.record(took)
            open.delete(asked)
          })
        open.add(asked)
      }
    }
  }
  // Each process reads the histories of all coins once, and learns to run what it is asked.
  await minuteOf()
  await Promise.all(open)
  for (let minute = 1; minute <= MINUTES; minute++) {
    const ofMinute = createHistogram()
    await minuteOf(ofMinute, all)
    memories.push(Math.max(...(await Promise.all(servers.map(memoryOf)))))
    process.stdout.write(
      `minute ${minute}: ${ofMinute.count} answers, half within ${ms(ofMinute.percentile(50))}, 99 % within ${ms(ofMinute.percentile(99))}, ${Math.round(memories.at(-1)! / 1e6)} MB, ${JSON.stringify(statuses)}\n`,
    )
  }
  await Promise.all(open)
  agent.destroy()
  return { slowestHundredth: all.percentile(99) / 1e6, statuses, memories }
}

const ms = (nanoseconds: number) => `${(nanoseconds / 1e6).toFixed(1)} ms`

/** Bytes, as the process says of itself. */
async function memoryOf({ url: base }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

async function withstand(storage: TestStorage, processes: number, rate: number): Promise<void> {
  const servers: ServerProcess[] = []
  try {
    const variables = { ...storage.variables, FREE_MAX_WIDGETS: String(PAIRS) }
    for (let i = 0; i < processes; i++) servers.push(await startServer(variables, [], PROGRAM))
    const { slowestHundredth, statuses, memories } = await load(servers, rate)
    const wrong = Object.keys(statuses).filter((status) => !/^(200|201|304)$/.test(status))
    expect(wrong).toEqual([])
    expect(slowestHundredth).toBeLessThan(SLOWEST_HUNDREDTH)
    expect(memories.at(-1)! / memories[Math.min(4, memories.length - 1)]!).toBeLessThan(GROWTH)
  } finally {
    for (const server of servers) await server.end('SIGTERM')
    await storage.remove()
  }
}

test.skipIf(url === '')(
  `two processes on PostgreSQL answer ${RATE} mixed requests a second for ${MINUTES} minutes: none is refused, 99 % within ${SLOWEST_HUNDREDTH} ms, memory flat`,
  { timeout: (MINUTES + 20) * 60_000 },
  async () => withstand(await emptyDatabase(url), 2, RATE),
)

test(
  `the embedded database answers ${EMBEDDED_RATE} mixed requests a second for ${MINUTES} minutes: none is refused, 99 % within ${SLOWEST_HUNDREDTH} ms, memory flat`,
  { timeout: (MINUTES + 20) * 60_000 },
  async () => withstand(await readyFolder(), 1, EMBEDDED_RATE),
)
