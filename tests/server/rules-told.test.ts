/** @module-tag both-engines */
import { expect, test } from 'vitest'
import { priceStore } from '../../server/services/market/prices/price-store'
import type { AlertsAnswer } from '../../src/contract/alerts'
import type { Rule } from '../../src/contract/rules'
import { alertNotification } from '../../src/domain/alert-notification'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { RULE_KIND_NAMES } from '../../src/domain/rule-kinds'
import { RULE_EXPIRED } from '../../src/domain/rule-words'
import { listCoins, pricesOf } from './support/alert-prices'
import { type Browser, browserAt } from './support/browser'
import { key, type Person } from './support/person'
import { deliver, deliveries, server, service, setPushScene } from './support/push-scene'
import { user } from './support/user'

setPushScene()

const KINDS = [...RULE_KIND_NAMES, RULE_EXPIRED]
const listed = async (of: Person) =>
  (await of.ask<AlertsAnswer>('GET', `/alerts?kinds=${KINDS.join(',')}`)).body.alerts.toReversed()

/** A user with a pair, these rules of it, and a browser that knows their kinds; `see` is an update of prices, and its pushes. */
async function ruledBy(rules: readonly object[]) {
  const owner = await user(server, { premium: true })
  const { id } = await owner.add('bitcoin', 'ethereum')
  const browser = browserAt(service)
  await browser.subscribe(owner, undefined, KINDS)
  for (const rule of rules) {
    expect((await owner.ask<Rule>('POST', `/widgets/${id}/rules`, rule, key(undefined))).status).toBe(201)
  }
  const { pool } = server.database
  await listCoins(pool, ['bitcoin', 'ethereum'])
  const store = priceStore({ pool, source: 'simulated', clock: server.clock })
  const see = async (ratio: number) => {
    server.clock.advance(MINUTE)
    await store(pricesOf({ bitcoin: ratio, ethereum: 1 }, server.clock()), { history: true })
    await deliver()
  }
  return { owner, browser, see }
}
const shown = ({ alerts }: Browser) =>
  alerts.map((alert) => {
    const { level, kind } = alert
    const { silent, renotify } = alertNotification({ ...alert, at: Date.parse(alert.crossed_at) } as never, 0).options
    return [kind, level, silent ? 'silent' : 'with a sound', renotify]
  })

test('a quiet alert is pushed to be shown without a sound and a loud one with it, and one for the log is listed and sent nowhere', async () => {
  const rule = (level: number, loudness: string) => ({ kind: 'trailing_rise', level, loudness })
  const { owner, browser, see } = await ruledBy([rule(10, 'buzz'), rule(11, 'quiet'), rule(12, 'log')])
  await see(20)
  await see(23)
  expect(shown(browser).toSorted()).toEqual([
    ['trailing_rise', 10, 'with a sound', true],
    ['trailing_rise', 11, 'silent', false],
  ])
  const alerts = await listed(owner)
  expect(alerts.map(({ level, not_sent }) => [level, not_sent]).toSorted()).toEqual([
    [10, undefined],
    [11, undefined],
    [12, 'log-only'],
  ])
  expect(await deliveries()).toHaveLength(2)
})

test('an alert with an end announces that once, whether or not it had fired, and never fires after it', async () => {
  const expires_at = new Date(server.clock() + HOUR).toISOString()
  const { owner, browser, see } = await ruledBy([
    { kind: 'trailing_rise', level: 10, expires_at },
    { kind: 'trailing_fall', level: 10, expires_at, loudness: 'quiet' },
  ])
  await see(20)
  await see(23)
  server.clock.advance(HOUR - 4 * MINUTE)
  await see(23)
  expect(shown(browser)).toEqual([['trailing_rise', 10, 'with a sound', true]])
  for (const ratio of [23, 15, 40, 15]) await see(ratio)
  expect(shown(browser).slice(1).toSorted()).toEqual([
    [RULE_EXPIRED, 10, 'silent', false],
    [RULE_EXPIRED, 10, 'with a sound', true],
  ])
  expect((await listed(owner)).map(({ kind }) => kind)).toEqual(['trailing_rise', RULE_EXPIRED, RULE_EXPIRED])
})
