import { vi } from 'vitest'
import type { LocalDatabase } from '../../../src/db/database'
import type { EngineEnv } from '../../../src/sync/env'
import { NOW } from '../../db/support/entries'
import { fakeLocks } from './fake-locks'

export type Handler = (request: { readonly url: URL; readonly init: RequestInit }) => Response | Promise<Response>

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/** Answers to all requests of a board without pairs, in the API's own words. */
export const SETTINGS = {
  version: '1.0.0',
  vapid_public_key: null,
  google: null,
  billing: { available: false, sandbox: false },
  market_data: { source: 'simulated', price_url: '/api/v3', attribution: { text: 'Simulated', url: null } },
  support_email: 'help@example.org',
}

/** An engine's surroundings whose server is `routes`, by path; what is not named there cannot be reached. */
export function wiredEnv(db: LocalDatabase, routes: Record<string, Handler>): EngineEnv & { readonly asked: string[] } {
  const asked: string[] = []
  let tokens = 0
  return {
    db,
    asked,
    now: vi.fn(() => NOW),
    random: () => 0.5,
    token: () => `token-${tokens++}`,
    locks: fakeLocks().forContext('one'),
    timer(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    origin: 'http://localhost',
    async fetch(href, init) {
      const url = new URL(href)
      asked.push(`${init.method} ${url.pathname}${url.search}`)
      const handler = routes[url.pathname]
      if (handler === undefined) throw new TypeError('Failed to fetch')
      return handler({ url, init })
    },
  }
}
