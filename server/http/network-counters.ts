import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { networksOf } from './addresses'

interface Counter {
  count: number
  /** Milliseconds on the clock of the counters. */
  readonly endsAt: number
}

/** Networks of one width that are counted apart. Beyond that newcomers share counters; no counter is ever pushed out. */
const MAX_COUNTERS = 50_000
const SHARED_COUNTERS = 1024

/**
 * The counters of @fastify/rate-limit, in this process's memory. A request counts for every network that its address belongs
 * to, and for none once one of them has reached its limit: a host that goes on asking takes nothing from its neighbours, and
 * a network that goes on asking makes no counters for new hosts. Keys are a kind of request, a space and the address.
 */
export function networkCounters(now: () => number = () => performance.now()): FastifyRateLimitStoreCtor {
  return class NetworkCounters implements FastifyRateLimitStore {
    /** By how many times the limit holds: networks of one width have a table of their own. */
    readonly #tables = new Map<number, Map<string, Counter>>()
    #sweepAt = 0

    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      timeWindow = 60_000,
      max = Infinity,
    ): void {
      const time = now()
      if (time >= this.#sweepAt) this.#sweep(time, timeWindow)
      const space = key.indexOf(' ')
      const found = networksOf(key.slice(space + 1)).map(({ network, times }) => {
        const table = this.#table(times)
        const name = nameIn(table, key.slice(0, space), network)
        const counter = table.get(name)
        const running =
          counter !== undefined && counter.endsAt > time ? counter : { count: 0, endsAt: time + timeWindow }
        return { table, name, running, most: max * times }
      })
      const full = found.filter(({ running, most }) => running.count >= most)
      if (full.length > 0) {
        callback(null, { current: max + 1, ttl: Math.max(...full.map(({ running }) => running.endsAt)) - time })
        return
      }
      for (const { table, name, running } of found) {
        running.count += 1
        table.set(name, running)
      }
      const [host] = found
      callback(null, { current: host!.running.count, ttl: host!.running.endsAt - time })
    }

    child(): FastifyRateLimitStore {
      return this
    }

    #table(times: number): Map<string, Counter> {
      const table = this.#tables.get(times) ?? new Map<string, Counter>()
      this.#tables.set(times, table)
      return table
    }

    #sweep(time: number, timeWindow: number): void {
      for (const table of this.#tables.values()) {
        for (const [name, { endsAt }] of table) if (endsAt <= time) table.delete(name)
      }
      this.#sweepAt = time + timeWindow / 4
    }
  }
}

/** Its own counter, or in a full table one of those that newcomers share for this kind: reads must not use up logins. */
function nameIn(table: ReadonlyMap<string, Counter>, kind: string, network: string): string {
  const name = `${kind} ${network}`
  if (table.has(name) || table.size < MAX_COUNTERS) return name
  let hash = 0
  for (let i = 0; i < network.length; i++) hash = (hash * 31 + network.charCodeAt(i)) | 0
  return `shared ${kind} ${Math.abs(hash % SHARED_COUNTERS)}`
}
