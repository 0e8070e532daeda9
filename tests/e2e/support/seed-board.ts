import type { Widget } from '../../../src/contract/widget'
import { headersOf, widgetsOnServer, type Asker } from './truth'

/** Ids of the coins of the pairs that tests watch, by what a card is called. */
const COINS = {
  'BTC / ETH': ['bitcoin', 'ethereum'],
  'SOL / ETH': ['solana', 'ethereum'],
  'XRP / ETH': ['ripple', 'ethereum'],
  'XRP / BTC': ['ripple', 'bitcoin'],
  'ICP / SOL': ['internet-computer', 'solana'],
} as const
export type PairName = keyof typeof COINS

/** A coin that the server offers. */
interface Offered {
  readonly id: string
  readonly symbol: string
}

/**
 * Adds `count` pairs to somebody's board, of as many coins as there are, each with both thresholds and alerts on.
 * @param known how many pairs of these the board has already
 */
export async function seedBoard(origin: string, asker: Asker, count: number, known = 0): Promise<void> {
  const coins = (await ask(origin, asker, 'GET', '/coins/supported')) as readonly Offered[]
  const coin = (place: number) => coins[place % coins.length]?.id ?? ''
  const pairs = Array.from({ length: count }, (_, place) => {
    const i = known + place
    return [coin(i), coin(i + 1 + Math.floor((2 * i) / coins.length))]
  })
  for (const [coin_a_id, coin_b_id] of pairs) {
    const body = { coin_a_id, coin_b_id, high_threshold: 1e9, low_threshold: 1e-9, notifications_enabled: true }
    await ask(origin, asker, 'POST', '/widgets', body)
  }
}

/** Adds pairs to somebody's board on the server, as another device of theirs would; the widgets, in this order. */
export async function seedPairs(origin: string, asker: Asker, pairs: readonly PairName[]): Promise<Widget[]> {
  const widgets: Widget[] = []
  for (const pair of pairs) {
    const [coin_a_id, coin_b_id] = COINS[pair]
    widgets.push((await ask(origin, asker, 'POST', '/widgets', { coin_a_id, coin_b_id })) as Widget)
  }
  return widgets
}

/** Replaces somebody's board on the server by these pairs, without anything set on them. */
export async function freshBoard(origin: string, asker: Asker, pairs: readonly PairName[]): Promise<void> {
  await clearBoard(origin, asker)
  await seedPairs(origin, asker, pairs)
}

/** Removes all pairs of somebody on the server. */
export async function clearBoard(origin: string, asker: Asker): Promise<void> {
  for (const { id } of await widgetsOnServer(origin, asker)) await ask(origin, asker, 'DELETE', `/widgets/${id}`)
}

async function ask(origin: string, asker: Asker, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { ...headersOf(asker), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
