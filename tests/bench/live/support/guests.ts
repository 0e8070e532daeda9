import { randomBytes, randomUUID } from 'node:crypto'
import { API_BASE } from '../../../../src/contract/routes'
import { anonymousId } from '../../../../src/domain/ids'

/** Requests under way at a time. */
const GUESTS_AT_ONCE = 20

export interface Guest {
  readonly headers: { readonly 'x-anonymous-user-id': string }
  readonly widgets: readonly string[]
}

/** Of a guest whom no server knows yet. */
export const newIdentity = () => ({ 'x-anonymous-user-id': anonymousId(Date.now(), randomBytes(24)) as string })

/** Ids of the coins that the server offers. */
export async function offeredCoins(origin: string): Promise<string[]> {
  const coins = (await (await fetch(`${origin}${API_BASE}/coins/supported`)).json()) as { id: string }[]
  return coins.map(({ id }) => id)
}

/** Makes guests as the app does, each with so many pairs that have thresholds, and a checkpoint. */
export async function makeGuests(origin: string, count: number, pairs = 5): Promise<Guest[]> {
  const coins = await offeredCoins(origin)
  const guests: Guest[] = []
  for (let made = 0; made < count; made += GUESTS_AT_ONCE) {
    const several = Array.from({ length: Math.min(GUESTS_AT_ONCE, count - made) }, (_, i) =>
      makeGuest(origin, coins, made + i, pairs),
    )
    guests.push(...(await Promise.all(several)))
  }
  return guests
}

async function makeGuest(origin: string, coins: readonly string[], number: number, pairs: number): Promise<Guest> {
  const headers = newIdentity()
  const widgets: string[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const [coin_a_id, coin_b_id] = [coins[(number + pair) % coins.length], coins[(number + pair + 1) % coins.length]]
    const body = { coin_a_id, coin_b_id, high_threshold: 1e9, low_threshold: 1e-9, notifications_enabled: true }
    widgets.push(((await change(origin, headers, 'POST', '/widgets', body)) as { id: string }).id)
  }
  const checkpoint = { ratio: 1.5, timestamp: new Date().toISOString() }
  await change(origin, headers, 'POST', `/widgets/${widgets[0]}/checkpoints/anonymous`, checkpoint)
  return { headers, widgets }
}

/** Sends a change as the app does. @returns the answer's JSON */
export async function change(
  origin: string,
  headers: Readonly<Record<string, string>>,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<unknown> {
  const answer = await fetch(`${origin}${API_BASE}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
