import { headersOf, type Asker } from './truth'

/** A coin that the server offers. */
interface Offered {
  readonly id: string
  readonly symbol: string
}

/** Adds `count` pairs for somebody, of as many coins as there are, each with both thresholds and alerts on. */
export async function seedBoard(origin: string, asker: Asker, count: number): Promise<void> {
  const coins = (await ask(origin, asker, 'GET', '/coins/supported')) as readonly Offered[]
  const coin = (place: number) => coins[place % coins.length]?.id ?? ''
  const pairs = Array.from({ length: count }, (_, i) => [coin(i), coin(i + 1 + Math.floor((2 * i) / coins.length))])
  for (const [coin_a_id, coin_b_id] of pairs) {
    const body = { coin_a_id, coin_b_id, high_threshold: 1e9, low_threshold: 1e-9, notifications_enabled: true }
    await ask(origin, asker, 'POST', '/widgets', body)
  }
}

async function ask(origin: string, asker: Asker, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { ...headersOf(asker), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
