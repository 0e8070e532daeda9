import { expect, test } from 'vitest'
import { readyFolder } from '../server/support/test-storage'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Widget } from '../../src/contract/widget'
import type { Headers } from '../server/support/person'
import { seeded } from '../server/support/seeded'
import { startServer } from '../server/support/server-process'
import { newGuest } from '../server/support/guest'

interface MemoryReport {
  readonly answeredBytes: number
  readonly requests: number
  /** Answers that were no 200. */
  readonly failures: number
  /** Memory of the process in bytes (RSS), the median of a minute: the tenth of the load, its last, the last idle one. */
  readonly warm: number
  readonly loaded: number
  readonly idle: number
}

interface Options {
  readonly variables: Readonly<Record<string, string>>
  /** The load ends when the server has answered this many bytes. */
  readonly bytes: number
  /** Requests a second. */
  readonly rate: number
  readonly log: (line: string) => void
}

/** Each with this many pairs, whose list is 60 kB. */
const GUESTS = 20
const PAIRS = 90
/** Requests under way at a time; on a machine that is too slow for the rate, the others wait their turn. */
const MOST_OPEN = 40
const MINUTE = 60_000
/** The minute whose memory is the measure. */
const WARM = 10
const IDLE_MINUTES = 5

/**
 * The built server on the embedded database under mixed load: lists of pairs, coins, prices and history, and changes
 * of thresholds, none of them compressed. Memory is what the process says of itself at /metrics.
 */
async function memoryUnderLoad({ variables, bytes, rate, log }: Options): Promise<MemoryReport> {
  const server = await startServer({ ...variables, FREE_MAX_WIDGETS: String(PAIRS) })
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_OPEN })
  const random = seeded(7)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const count = { bytes: 0, requests: 0, failures: 0 }

  const ask = async (method: string, path: string, headers: Headers = {}, body?: unknown): Promise<string> => {
    const { status, text } = await send(agent, `${server.url}${path}`, method, headers, body)
    count.bytes += text.length
    count.requests += 1
    if (status !== 200 && status !== 201) count.failures += 1
    return text
  }
  const memory = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
  }
  /** The median of six readings within a minute. */
  const minuteOfMemory = async (): Promise<number> => {
    const readings: number[] = []
    while (readings.length < 6) {
      await sleep(MINUTE / 6)
      readings.push(await memory())
    }
    return readings.toSorted((a, b) => a - b)[3]!
  }

  const coins = (JSON.parse(await ask('GET', '/api/v1/coins/supported')) as { id: string }[]).map(({ id }) => id)
  const guests: { identity: Headers; widgets: string[] }[] = []
  for (let guest = 0; guest < GUESTS; guest++) {
    const identity = { 'x-anonymous-user-id': newGuest() }
    const widgets: string[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      const [coin_a_id, coin_b_id] = [coins[pair % 10], coins[10 + Math.floor(pair / 10)]]
      const made = await ask(
        'POST',
        '/api/v1/widgets',
        { ...identity, 'idempotency-key': randomUUID() },
        { coin_a_id, coin_b_id },
      )
      widgets.push((JSON.parse(made) as Widget).id)
    }
    guests.push({ identity, widgets })
  }

  const one = async (): Promise<unknown> => {
    const { identity, widgets } = pick(guests)
    const kind = random()
    if (kind < 0.45) return ask('GET', '/api/v1/widgets', identity)
    if (kind < 0.5) {
      const headers = { ...identity, 'idempotency-key': randomUUID() }
      return ask('PUT', `/api/v1/widgets/${pick(widgets)}`, headers, { high_threshold: 1 + random() })
    }
    if (kind < 0.56) return ask('GET', `/api/v1/coins/${pick(coins)}/historical?period=${random() < 0.5 ? '3m' : '1m'}`)
    if (kind < 0.8) return ask('GET', '/api/v1/coins/supported')
    return ask('GET', `/api/v3/simple/price?ids=${coins.slice(0, 20).join(',')}&vs_currencies=usd`)
  }

  const begun = performance.now()
  const before = count.requests
  const open = new Set<Promise<unknown>>()
  const load = async () => {
    for (let sent = 0; count.bytes < bytes; sent++) {
      const early = begun + (sent * 1000) / rate - performance.now()
      if (early > 5) await sleep(early)
      if (open.size >= MOST_OPEN) await Promise.race(open)
      const asked = one()
        .catch(() => (count.failures += 1))
        .finally(() => open.delete(asked))
      open.add(asked)
    }
    await Promise.all(open)
    return 'ended' as const
  }
  const ended = load()
  let warm = 0
  let loaded = 0
  for (let minute = 1; ; minute++) {
    const next = await Promise.race([ended, minuteOfMemory()])
    if (next === 'ended') break
    loaded = next
    if (minute <= WARM) warm = loaded
    const perSecond = Math.round((count.requests - before) / ((performance.now() - begun) / 1000))
    log(
      `minute ${minute}: ${megabytes(loaded)} of memory, ${megabytes(count.bytes)} answered, ${perSecond} requests a second, ${count.failures} failures`,
    )
  }
  let idle = 0
  for (let minute = 1; minute <= IDLE_MINUTES; minute++) {
    idle = await minuteOfMemory()
    log(`idle minute ${minute}: ${megabytes(idle)} of memory`)
  }
  agent.destroy()
  await server.end('SIGTERM')
  return { answeredBytes: count.bytes, requests: count.requests, failures: count.failures, warm, loaded, idle }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

function send(agent: Agent, url: string, method: string, headers: Headers, body: unknown) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { agent, method, headers: { ...headers, ...type } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** How much the server answers in all; 200 requests a second take some 50 minutes for 20 GB. */
const GIGABYTES = Number(process.env['MEMORY_GB'] ?? 20)
const HOURS = 3_600_000

test(
  `the memory of a server on the embedded database stays within 20 % of its tenth minute while it answers ${GIGABYTES} GB at 200 requests/s, and idle afterwards`,
  { timeout: 6 * HOURS },
  async () => {
    const storage = await readyFolder()
    const log = (line: string) => process.stdout.write(`${line}\n`)
    const report = await memoryUnderLoad({ variables: storage.variables, bytes: GIGABYTES * 1e9, rate: 200, log })
    await storage.remove()
    log(JSON.stringify(report))
    expect(report.failures).toBe(0)
    expect(report.loaded).toBeLessThanOrEqual(report.warm * 1.2)
    expect(report.idle).toBeLessThanOrEqual(report.warm * 1.2)
  },
)
