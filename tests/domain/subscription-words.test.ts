import { expect, test } from 'vitest'
import { activeGrant, isPaying, originOf, periodOf, statusWordOf } from '../../src/domain/subscription-words'

type Subscription = Parameters<typeof periodOf>[0]

const subscription = (values: Partial<Subscription>): Subscription => ({
  stripe_subscription_id: 'sub_1',
  status: 'active',
  current_period_start: new Date(2026, 10, 1, 12).toISOString(),
  current_period_end: new Date(2026, 11, 1, 12).toISOString(),
  cancel_at_period_end: false,
  ...values,
})
const grant = (values: Partial<Subscription> = {}) => subscription({ stripe_subscription_id: 'manual_1', ...values })

test.each([
  ['active', 'Active', 'accent'],
  ['trialing', 'Trial', 'accent'],
  ['past_due', 'Past due', 'warn'],
  ['canceled', 'Canceled', 'neutral'],
  ['incomplete_expired', 'Never paid', 'neutral'],
  ['a_new_word', 'a_new_word', 'neutral'],
])('a paid subscription with the Stripe status %s gets the word and the tone of that status', (status, word, tone) =>
  expect(statusWordOf(subscription({ status }))).toEqual({ word, tone }),
)

test('a grant is called “Active” while it is active, and “Ended” once it is canceled', () => {
  expect(statusWordOf(grant())).toEqual({ word: 'Active', tone: 'accent' })
  expect(statusWordOf(grant({ status: 'canceled' }))).toEqual({ word: 'Ended', tone: 'neutral' })
})

const [from, to] = [/\b1\b.*2026|2026.*\b1\b/, 'Dec']
test.each([
  [subscription({}), /^Renews on .*Dec/],
  [subscription({ cancel_at_period_end: true }), /^Ends on .*Dec/],
  [subscription({ status: 'trialing' }), /^Renews on .*Dec/],
  [subscription({ status: 'past_due' }), /Nov.* – .*Dec/],
  [subscription({ status: 'canceled' }), /Nov.* – .*Dec/],
  [grant(), /^Since .*Nov.*, until .*Dec/],
  [grant({ status: 'canceled' }), /Nov.* – .*Dec/],
])('a subscription’s period is a renewal, an end, “Since … until” or two dates (case %#)', (one, words) => {
  expect(periodOf(one)).toMatch(words)
  expect(periodOf(one)).toMatch(from)
  expect(periodOf(one)).toContain(to)
})

test('a subscription is called “Stripe subscription” or “Granted” by its origin', () => {
  expect(originOf(subscription({}))).toBe('Stripe subscription')
  expect(originOf(grant())).toBe('Granted')
})

test('the grant in force is the active grant, never a canceled grant or a Stripe subscription', () => {
  const held = grant()
  expect(activeGrant([subscription({}), grant({ status: 'canceled' }), held])).toBe(held)
  expect(activeGrant([subscription({}), grant({ status: 'canceled' })])).toBeUndefined()
})

test.each([
  [[subscription({})], true],
  [[subscription({ status: 'past_due' })], true],
  [[grant()], false],
  [[subscription({ status: 'canceled' })], false],
])(
  'an account counts as paying while its Stripe subscription is not canceled; a grant does not count (case %#)',
  (all, paying) => expect(isPaying(all)).toBe(paying),
)
