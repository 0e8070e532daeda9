import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'

/** How an answer can go wrong. */
export const FAULTS = [
  '429',
  'plain-429',
  '500',
  'redirect',
  'html',
  'truncated',
  'hang',
  'half-a-body',
  'endless-body',
  'reset',
  'null-prices',
  'nonsense',
] as const
export type Fault = (typeof FAULTS)[number]

interface StandInCoin {
  readonly id: string
  readonly rank: number | null
  /** As a provider writes them; made of the id where left out. */
  readonly symbol?: string
  readonly name?: string
  readonly image?: string
  /** The one category that it is in. */
  readonly category?: string
  /** USD at a time; null: not traded. */
  price: ((time: number) => number | null) | null
}

export interface CoinGeckoStandIn {
  /** Including /api/v3. */
  readonly url: string
  readonly coins: Map<string, StandInCoin>
  /** True: whatever page of the list is asked for, the first comes. */
  repeatsFirstPage: boolean
  /** Paths with queries, oldest first. */
  readonly seen: string[]
  /** Headers of the last request. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The next `count` answers go wrong. */
  fail(fault: Fault, count?: number): void
  /** From now on answers are right again. */
  heal(): void
  /** Resolves when so many requests have come, counted from the start. */
  arrived(count: number): Promise<void>
  /** While held, requests wait for `release`. */
  hold(): void
  release(): void
  close(): Promise<void>
}

/** A wave around `level`, so that every moment has a price of its own. */
export const wave = (level: number) => (time: number) =>
  Number((level * (1 + 0.05 * Math.sin(time / (7 * HOUR)) + 0.002 * Math.sin(time / (3 * MINUTE)))).toPrecision(10))

/** A local server that speaks CoinGecko's wire format, keeps state, and fails on request. `clock` is its present. */
export async function coinGeckoStandIn(clock: () => number): Promise<CoinGeckoStandIn> {
  const coins = new Map<string, StandInCoin>(
    ['bitcoin', 'ethereum', 'solana', 'pepe'].map((id, index) => [
      id,
      { id, rank: index + 1, price: wave([100_000, 4_000, 150, 0.0000061][index]!) },
    ]),
  )
  const seen: string[] = []
  let faults: { kind: Fault; count: number } | null = null
  let held: (() => void)[] | null = null
  let watchers: { readonly count: number; readonly resolve: () => void }[] = []
  const hanging = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    seen.push(`${url.pathname.replace('/api/v3', '')}${decodeURIComponent(url.search)}`)
    standIn.headers = request.headers
    watchers = watchers.filter(({ count, resolve }) => {
      if (seen.length < count) return true
      resolve()
      return false
    })
    const go = () => {
      if (faults === null) return answer(response, url)
      const { kind } = faults
      if (--faults.count === 0) faults = null
      return misanswer(response, kind)
    }
    if (held === null) go()
    else held.push(go)
  })

  function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  function misanswer(response: ServerResponse, fault: Fault): void {
    switch (fault) {
      case '429':
        return send(response, 429, { status: { error_code: 429, error_message: 'Too many' } }, { 'retry-after': '2' })
      case 'plain-429':
        return send(response, 429, 'Throttled', { 'content-type': 'text/plain' })
      case '500':
        return send(response, 500, { error: 'Internal Server Error' })
      case 'redirect':
        return send(response, 307, '', { location: `${standIn.url}/ping` })
      case 'html':
        return send(response, 200, '<html><body>checking your browser</body></html>', { 'content-type': 'text/html' })
      case 'truncated':
        return send(response, 200, '{"bitcoin":{"usd":')
      case 'null-prices':
        return send(response, 200, Object.fromEntries([...coins.keys()].map((id) => [id, { usd: null }])))
      case 'nonsense':
        return send(response, 200, '{"bitcoin":{"usd":-1},"ethereum":{"usd":"4000"},"solana":{"usd":1e999},"pepe":7}')
      case 'reset':
        response.destroy()
        return
      case 'half-a-body':
        hanging.add(response)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"prices":[[1,')
        return
      case 'endless-body': {
        hanging.add(response)
        response.writeHead(200, { 'content-type': 'application/json' })
        const goOn = () => {
          while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
        }
        response.on('drain', goOn)
        return goOn()
      }
      case 'hang':
        hanging.add(response)
    }
  }

  /** From the first whole step after `from`, off the bucket boundaries as CoinGecko's are, and the present at the end. */
  function series(coin: StandInCoin, from: number, step: number): [number, number | null][] {
    const points: [number, number | null][] = []
    const now = clock()
    if (coin.price === null) return points
    for (let t = Math.ceil(from / step) * step + 37_123; t < now; t += step) points.push([t, coin.price(t)])
    points.push([now, coin.price(now)])
    return points
  }

  function answer(response: ServerResponse, url: URL): void {
    const path = url.pathname.replace('/api/v3', '')
    const query = url.searchParams
    const now = clock()
    if (path === '/ping') return send(response, 200, { gecko_says: '(V3) To the Moon!' })
    if (path === '/simple/price') {
      const wanted = (query.get('ids') ?? '').split(',').flatMap((id) => coins.get(id) ?? [])
      const entries = wanted.map(({ id, price }) => [
        id,
        price === null ? {} : { usd: price(now), last_updated_at: Math.floor(now / 1000) },
      ])
      return send(response, 200, Object.fromEntries(entries))
    }
    if (path === '/coins/markets') {
      const per = Number(query.get('per_page'))
      const page = standIn.repeatsFirstPage ? 1 : Number(query.get('page'))
      const category = query.get('category')
      const rows = [...coins.values()]
        .filter((coin) => category === null || coin.category === category)
        .slice((page - 1) * per, page * per)
        .map(({ id, rank, symbol, name, image, price }) => ({
          id,
          symbol: symbol ?? id.slice(0, 3),
          name: name ?? id.toUpperCase(),
          image: image ?? `https://coin-images.coingecko.com/${id}.png`,
          current_price: price?.(now) ?? null,
          market_cap_rank: rank,
          last_updated: new Date(now).toISOString(),
        }))
      return send(response, 200, rows)
    }
    const id = /^\/coins\/([^/]+)\/market_chart$/.exec(path)?.[1]
    const coin = coins.get(id ?? '')
    if (coin === undefined) return send(response, 404, { error: 'coin not found' })
    const days = Number(query.get('days'))
    const step = days <= 1 ? 5 * MINUTE : days <= 90 ? HOUR : DAY
    return send(response, 200, { prices: series(coin, now - days * DAY, step), market_caps: [], total_volumes: [] })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: CoinGeckoStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    coins,
    repeatsFirstPage: false,
    seen,
    headers: {},
    fail: (kind, count = 1) => {
      faults = { kind, count }
    },
    heal: () => {
      faults = null
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (seen.length >= count) resolve()
        else watchers.push({ count, resolve })
      }),
    hold: () => {
      held = []
    },
    release: () => {
      const waiting = held ?? []
      held = null
      for (const go of waiting) go()
    },
    close: async () => {
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}
