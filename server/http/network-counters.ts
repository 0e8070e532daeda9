import { networksOf } from './addresses'

interface Counter {
  count: number
  /** Milliseconds on the clock of the counters. */
  readonly endsAt: number
}

/** Networks of one width that are counted apart. Beyond that newcomers share counters; no counter is ever pushed out. */
const MAX_COUNTERS = 50_000
const SHARED_COUNTERS = 1024

/** A request as it was counted. */
interface Count {
  /** Requests of the address so far, or one more than it may have. */
  readonly current: number
  /** Milliseconds until its counter ends. */
  readonly ttl: number
}

/**
 * Counts requests in this process's memory. A request counts for every network that its address belongs to, and for none
 * once one of them has reached its limit: a host that goes on asking takes nothing from its neighbours, and a network that
 * goes on asking makes no counters for new hosts.
 * @param window milliseconds that a counter lives
 * @returns counts a request of a kind
 */
export function networkCounters(
  window: number,
  now: () => number = () => performance.now(),
): (kind: string, address: string, max: number) => Count {
  /** By how many times the limit holds: networks of one width have a table of their own. */
  const tables = new Map<number, Map<string, Counter>>()
  let sweepAt = 0

  const tableOf = (times: number): Map<string, Counter> => {
    const table = tables.get(times) ?? new Map<string, Counter>()
    tables.set(times, table)
    return table
  }

  const sweep = (time: number): void => {
    for (const table of tables.values()) {
      for (const [name, { endsAt }] of table) if (endsAt <= time) table.delete(name)
    }
    sweepAt = time + window / 4
  }

  return (kind, address, max) => {
    const time = now()
    if (time >= sweepAt) sweep(time)
    const found = networksOf(address).map(({ network, times }) => {
      const table = tableOf(times)
      const name = nameIn(table, kind, network)
      const counter = table.get(name)
      const running = counter !== undefined && counter.endsAt > time ? counter : { count: 0, endsAt: time + window }
      return { table, name, running, most: max * times }
    })
    const full = found.filter(({ running, most }) => running.count >= most)
    if (full.length > 0) return { current: max + 1, ttl: Math.max(...full.map(({ running }) => running.endsAt)) - time }
    for (const { table, name, running } of found) {
      running.count += 1
      table.set(name, running)
    }
    const [host] = found
    return { current: host!.running.count, ttl: host!.running.endsAt - time }
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
