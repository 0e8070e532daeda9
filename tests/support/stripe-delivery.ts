import { Stripe } from 'stripe'
import type { StripeEvent } from './stripe-objects'

export interface SignedEvent {
  /** Byte for byte what is signed. */
  readonly payload: string
  /** For the header `stripe-signature`. */
  readonly signature: string
}

/** @param at when it is signed, milliseconds since 1970 */
export function signEvent(event: StripeEvent | string, secret: string, at: number): SignedEvent {
  const payload = typeof event === 'string' ? event : JSON.stringify(event)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })
  return { payload, signature }
}

/** Between two attempts at first, and at most, milliseconds. */
const FIRST = 50
const LONGEST = 1_000
/** How long an answer is waited for, milliseconds. */
const WEBHOOK_TIMEOUT_MS = 30_000

/** Posts events to a webhook until each is taken: each by itself, so that they overtake one another. */
export interface Delivery {
  readonly add: (event: StripeEvent) => void
  readonly to: (url: string | null) => void
  /** Resolves when nothing is left. */
  readonly done: () => Promise<void>
  /** Statuses of the answers to an event so far; null: there was none. */
  readonly attempts: (event: string) => readonly (number | null)[]
  stop(): void
}

export function startDelivery(sign: (event: StripeEvent) => SignedEvent): Delivery {
  const waiting = new Set<StripeEvent>()
  const underWay = new Map<StripeEvent, NodeJS.Timeout | 'posting'>()
  const attempts = new Map<string, (number | null)[]>()
  let idle: (() => void)[] = []
  let target: string | null = null
  const ending = new AbortController()

  async function post(event: StripeEvent, url: string, pause: number): Promise<void> {
    underWay.set(event, 'posting')
    const status = await answerOf(event, url)
    attempts.set(event.id, [...(attempts.get(event.id) ?? []), status])
    if (status !== null && status >= 200 && status < 300) {
      waiting.delete(event)
      underWay.delete(event)
      if (waiting.size === 0) {
        for (const resolve of idle) resolve()
        idle = []
      }
      return
    }
    if (ending.signal.aborted) return
    underWay.set(
      event,
      setTimeout(() => set(event, Math.min(pause * 2, LONGEST)), pause),
    )
  }

  function set(event: StripeEvent, pause: number): void {
    underWay.delete(event)
    if (target !== null) void post(event, target, pause)
  }

  async function answerOf(event: StripeEvent, url: string): Promise<number | null> {
    const { payload, signature } = sign(event)
    try {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)])
      const answer = await fetch(url, { method: 'POST', headers, body: payload, signal })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      // The server is down, for now or on purpose.
      return null
    }
  }

  return {
    add(event) {
      waiting.add(event)
      set(event, FIRST)
    },
    to(url) {
      target = url
      for (const event of waiting) {
        const state = underWay.get(event)
        if (state === 'posting') continue
        clearTimeout(state)
        set(event, FIRST)
      }
    },
    done: () => (waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
    attempts: (event) => attempts.get(event) ?? [],
    stop() {
      target = null
      ending.abort()
      for (const state of underWay.values()) if (state !== 'posting') clearTimeout(state)
    },
  }
}
