import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { browserAt } from '../server/support/browser'
import { coinGeckoStandIn } from '../server/support/coingecko-stand-in'
import { newGuest } from '../server/support/guest'
import { postgresPrograms, startCluster } from '../server/support/patroni-cluster'
import { type ServerProcess, startServer } from '../server/support/server-process'
import { TEST_VAPID } from '../server/support/test-vapid'
import { startPushService } from '../support/push-service'

/** Times that the primary's machine is killed. */
const KILLS = Number(process.env['KILLS'] ?? 10)
/** Changes a second, by as many guests. */
const GUESTS = 40
/** Milliseconds in which the service is to take changes again. */
const SERVING_AGAIN = 30_000
/** The ratio goes from one to the other and back: each guest's alert fires once each time. */
const [BELOW, LEVEL, ABOVE] = [20, 25, 30]
const FLIP_EVERY = 6_000

const programs = postgresPrograms()

test.skipIf(programs === undefined)(
  'the primary’s machine is killed again and again under load: no acknowledged change is lost, changes are taken within 30 s, and every crossing is told once',
  { timeout: 3_600_000 },
  async () => {
    const [cluster, service, gecko] = await Promise.all([
      startCluster(programs!),
      startPushService(),
      coinGeckoStandIn(Date.now),
    ])
    const servers: ServerProcess[] = []
    let flipping: NodeJS.Timeout | undefined
    try {
      let ratio = BELOW
      gecko.coins.get('bitcoin')!.price = () => ratio * 1_000
      gecko.coins.get('ethereum')!.price = () => 1_000
      await cluster.untilWhole()
      const variables = {
        ...TEST_VAPID,
        JWT_SECRET: 'a secret that signs the access tokens of tests',
        MARKET_DATA: 'coingecko',
        COINGECKO_BASE_URL: gecko.url,
        PRICE_POLL_SECONDS: '2',
        COINGECKO_MONTHLY_CALLS: '100000000',
        PUSH_ALLOWED_HOSTS: service.host,
      }
      // One finds the primary by itself, the other through the proxy.
      for (const DATABASE_URL of [cluster.hosts, cluster.proxy])
        servers.push(await startServer({ ...variables, DATABASE_URL }))
      const guests = await Promise.all(
        Array.from({ length: GUESTS }, (_, i) => newWriter(servers[i % 2]!.url, service)),
      )
      flipping = setInterval(() => (ratio = ratio === BELOW ? ABOVE : BELOW), FLIP_EVERY)
      const writing = guests.map((guest) => guest.write())

      /** Milliseconds from each kill until each server had a change acknowledged again, and the longest that a guest had none. */
      const [outages, silences]: [number[], number[]] = [[], []]
      for (let kill = 0; kill < KILLS; kill++) {
        await delay(5_000)
        const killedAt = performance.now()
        const name = await cluster.killPrimary()
        for (const server of servers) {
          const its = guests.filter(({ base }) => base === server.url)
          while (!its.some(({ acknowledgedAt }) => acknowledgedAt() > killedAt + 1_500)) {
            if (performance.now() - killedAt > 4 * SERVING_AGAIN)
              throw new Error(`No change is taken: ${server.output().slice(-2_000)}`)
            await delay(50)
          }
          outages.push(Math.round(performance.now() - killedAt))
          silences.push(Math.round(Math.max(...its.map(({ silence }) => silence()))))
        }
        console.log(`kill ${kill + 1}, of ${name}: changes again after ${outages.slice(-2).join(' and ')} ms`)
        for (const guest of guests) guest.forgetSilence()
        cluster.revive(name)
        await cluster.untilWhole()
      }
      clearInterval(flipping)
      for (const guest of guests) guest.stop()
      await Promise.all(writing)
      // A process that had claimed a message as the primary died sends it once the claim has run out.
      await delay(45_000)

      const lost = (await Promise.all(guests.map((guest) => guest.lost()))).flat()
      const database = new Client({ connectionString: cluster.proxy })
      await database.connect()
      const { rows } = await database.query<{ id: string; crossings: string[] }>(
        `SELECT widget_id AS id, array_agg(epoch::text ORDER BY epoch) AS crossings FROM alert_events WHERE kind = 'threshold' GROUP BY 1`,
      )
      await database.end()
      const recorded = new Map(rows.map(({ id, crossings }) => [id, crossings]))
      const told = guests.map(({ widget, browser }) => ({
        widget,
        epochs: browser.alerts.map(({ epoch }) => String(epoch)),
      }))
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
      const missed = told.flatMap(({ widget, epochs }) =>
        (recorded.get(widget) ?? []).filter((epoch) => !epochs.includes(epoch)),
      )
      const unknown = told.flatMap(({ widget, epochs }) =>
        epochs.filter((epoch) => !(recorded.get(widget) ?? []).includes(epoch)),
      )
      console.log(
        JSON.stringify({
          kills: KILLS,
          acknowledged: sum(guests.map(({ acknowledged }) => acknowledged())),
          refused: sum(guests.map(({ refused }) => refused())),
          lost: lost.length,
          outages,
          silences,
          crossings: sum([...recorded.values()].map(({ length }) => length)),
          missed: missed.length,
          unknown: unknown.length,
          // By the same id, which the browser shows once.
          again: sum(told.map(({ epochs }) => epochs.length - new Set(epochs).size)),
        }),
      )
      expect(lost).toEqual([])
      expect(Math.max(...outages)).toBeLessThan(SERVING_AGAIN)
      expect([missed, unknown]).toEqual([[], []])
      expect(recorded.size).toBe(GUESTS)
    } finally {
      clearInterval(flipping)
      for (const server of servers) await server.end('SIGKILL')
      await Promise.all([cluster.end(), service.stop(), gecko.close()])
    }
  },
)

/** A guest with one pair, an armed alert and a browser, who changes the pair's other threshold all the time. */
async function newWriter(base: string, service: Awaited<ReturnType<typeof startPushService>>) {
  const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { ...headers, 'idempotency-key': randomUUID() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as unknown
  }
  const { id: widget } = (await ask('POST', '/widgets', { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })) as {
    id: string
  }
  await ask('PUT', `/widgets/${widget}`, {
    high_threshold: LEVEL,
    high_threshold_active: true,
    notifications_enabled: true,
  })
  const browser = browserAt(service)
  await ask('POST', '/push/subscribe', { endpoint: browser.endpoint, expirationTime: null, keys: browser.keys })

  let [sent, acknowledged, refused, at, silence] = [0, 0, 0, performance.now(), 0]
  let isStopped = false
  const hasStopped = () => isStopped
  return {
    base,
    widget,
    browser,
    acknowledged: () => acknowledged,
    refused: () => refused,
    acknowledgedAt: () => at,
    /** The longest time between two acknowledged changes, milliseconds. */
    silence: () => silence,
    forgetSilence: () => (silence = 0),
    stop: () => (isStopped = true),
    write: async () => {
      while (!hasStopped()) {
        const pause = delay(1_000)
        sent += 1
        try {
          await ask('PUT', `/widgets/${widget}`, { low_threshold: 1 / (sent + 1) })
          acknowledged = sent
          silence = Math.max(silence, performance.now() - at)
          at = performance.now()
        } catch {
          // Refused, or without an answer: it may be saved or not, and the next one follows.
          refused += 1
        }
        await pause
      }
    },
    /** The acknowledged change that is not there, in words. */
    lost: async (): Promise<string[]> => {
      const [stored] = (await ask('GET', '/widgets')) as { low_threshold: number }[]
      const number = Math.round(1 / (stored?.low_threshold ?? 0)) - 1
      return number >= acknowledged ? [] : [`${widget}: ${number} instead of ${acknowledged}`]
    },
  }
}
