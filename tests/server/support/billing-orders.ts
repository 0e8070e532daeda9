import { expect } from 'vitest'
import type { StripeEvent } from '../../support/stripe-objects'
import type { BillingScene, Buyer } from './billing-scene'

/*
 * Histories of a customer's subscriptions at Stripe, as six events, which then arrive in every order. A model
 * that knows nothing but the story says what must be so here.
 */

type Step =
  | { readonly kind: 'subscribe'; readonly as: string; readonly status: string; readonly events: 1 | 2 }
  | { readonly kind: 'change'; readonly of: string; readonly status: string; readonly ends?: boolean }
  | { readonly kind: 'cancel'; readonly of: string }

/** Each is six events long. Whether it ends with Premium is different. */
const STORIES: readonly (readonly Step[])[] = [
  [
    { kind: 'subscribe', as: 'first', status: 'active', events: 2 },
    { kind: 'change', of: 'first', status: 'past_due' },
    { kind: 'change', of: 'first', status: 'active', ends: true },
    { kind: 'cancel', of: 'first' },
    { kind: 'subscribe', as: 'second', status: 'active', events: 1 },
  ],
  [
    { kind: 'subscribe', as: 'first', status: 'incomplete', events: 2 },
    { kind: 'change', of: 'first', status: 'trialing' },
    { kind: 'change', of: 'first', status: 'past_due' },
    { kind: 'change', of: 'first', status: 'unpaid' },
    { kind: 'cancel', of: 'first' },
  ],
  [
    { kind: 'subscribe', as: 'first', status: 'active', events: 2 },
    { kind: 'subscribe', as: 'second', status: 'trialing', events: 2 },
    { kind: 'cancel', of: 'first' },
    { kind: 'change', of: 'second', status: 'active', ends: true },
  ],
]

interface Modelled {
  readonly status: string
  readonly ends: boolean
}
type Model = ReadonlyMap<string, Modelled>

function modelAfter(steps: readonly Step[]): Model {
  const model = new Map<string, Modelled>()
  for (const step of steps) {
    if (step.kind === 'subscribe') model.set(step.as, { status: step.status, ends: false })
    if (step.kind === 'change') model.set(step.of, { status: step.status, ends: step.ends ?? false })
    if (step.kind === 'cancel') model.set(step.of, { status: 'canceled', ends: false })
  }
  return model
}

const GIVE_PREMIUM = ['active', 'trialing', 'past_due']

/** A customer's history, as far as events say. */
interface Life {
  readonly buyer: Buyer
  readonly story: readonly Step[]
  /** Lets everything happen up to a step, that one too. */
  reach(step: number): void
  /** The step that an event tells of, and the event once that has happened. */
  readonly events: readonly { readonly step: number; readonly event: () => StripeEvent }[]
  /** The stored rows are those of the model. */
  check(): Promise<void>
}

async function beginLife({ server, stripe, ...scene }: BillingScene, story: readonly Step[]): Promise<Life> {
  const buyer = await scene.customer({ premium: true })
  for (const coin of ['ethereum', 'solana', 'cardano']) await buyer.me.add('bitcoin', coin)
  const ids = new Map<string, string>()
  const events: StripeEvent[][] = []

  function happen(step: Step): void {
    const before = stripe.account.events.length
    if (step.kind === 'subscribe')
      ids.set(step.as, stripe.account.subscribe(buyer.customer, { status: step.status }).id)
    if (step.kind === 'change')
      stripe.account.change(ids.get(step.of)!, { status: step.status, cancel_at_period_end: step.ends ?? false })
    if (step.kind === 'cancel') stripe.account.cancel(ids.get(step.of)!)
    events.push(stripe.account.events.slice(before))
  }
  return {
    buyer,
    story,
    reach: (step) => {
      while (events.length <= step) happen(story[events.length]!)
    },
    events: story.flatMap((step, at) =>
      Array.from({ length: step.kind === 'subscribe' ? step.events : 1 }, (_, i) => ({
        step: at,
        event: () => events[at]![i]!,
      })),
    ),
    check: async () => {
      const model = modelAfter(story.slice(0, events.length))
      const premium = [...model.values()].some(({ status }) => GIVE_PREMIUM.includes(status))
      const rows = await buyer.rows()
      const stored = [...ids].map(([name, id]) => [name, rows.get(id)?.status, rows.get(id)?.cancel_at_period_end])
      expect(stored).toEqual([...model].map(([name, { status, ends }]) => [name, status, ends]))
      expect(rows.size).toBe(model.size)
      expect(await buyer.isPremium()).toBe(premium)
      const most = premium ? server.env.PREMIUM_MAX_WIDGETS : server.env.FREE_MAX_WIDGETS
      expect(await buyer.activity()).toEqual([0, 1, 2].map((place) => place < most))
    },
  }
}

/** The order of the numbers 0 … `length` - 1 that has this place among all of them. */
export function orderAt(place: number, length: number): number[] {
  const left = Array.from({ length }, (_, i) => i)
  let rest = place
  return Array.from({ length }, (_, i) => {
    const at = rest % (length - i)
    rest = Math.floor(rest / (length - i))
    return left.splice(at, 1)[0]!
  })
}

export const ORDERS = 720

/**
 * Each event arrives in its turn, as soon as what it tells of has happened; then one of those so far arrives once
 * more. After each of them what is stored is what the story says so far.
 */
export async function oneAfterAnother(scene: BillingScene, place: number): Promise<void> {
  const life = await beginLife(scene, STORIES[place % STORIES.length]!)
  const order = orderAt(place, life.events.length)
  for (const [nth, at] of order.entries()) {
    const { step, event } = life.events[at]!
    life.reach(step)
    expect((await scene.post(event())).status).toBe(200)
    await life.check()
    const before = order[place % (nth + 1)]!
    await repeat(scene, life, before)
  }
}

async function repeat(scene: BillingScene, { buyer, events }: Life, at: number): Promise<void> {
  const version = await buyer.version()
  const asked = scene.stripe.calls.length
  expect((await scene.post(events[at]!.event())).status).toBe(200)
  expect([await buyer.version(), scene.stripe.calls.length]).toEqual([version, asked])
}

/** All that has happened arrives at once, some of it twice: ten requests. */
export async function allAtOnce(scene: BillingScene, place: number): Promise<void> {
  const life = await beginLife(scene, STORIES[place % STORIES.length]!)
  life.reach(life.story.length - 1)
  const order = orderAt(place, life.events.length)
  const ten = [...order, ...order.slice(0, 4)].map((at) => life.events[at]!.event())
  const answers = await Promise.all(ten.map((event) => scene.post(event)))
  expect(answers.map(({ status }) => status)).toEqual(ten.map(() => 200))
  await life.check()
  const taken = await scene.taken()
  for (const { event } of life.events) expect(taken.filter((id) => id === event().id).length).toBe(1)
}
