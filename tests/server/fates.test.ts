/** @module-tag both-engines */
import { expect, test } from 'vitest'
import type { AlertsAnswer, Delivery } from '../../src/contract/alerts'
import { EXTREME_KINDS } from '../../src/domain/alerts'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { fanOut } from '../../server/services/push/delivery-queue'
import { sessions } from '../../server/db/schema/sessions'
import { bearer, PASSWORD } from './support/accounts'
import { browserAt } from './support/browser'
import { recordCrossing } from './support/crossings'
import { browserOf, crossing, deliver, me, server, service, setPushScene } from './support/push-scene'
import { key, type Person, person } from './support/person'

setPushScene()

const list = async (by: Person, query = '') => (await by.ask<AlertsAnswer>('GET', `/alerts${query}`)).body
const iso = () => new Date(server.clock()).toISOString()
const push = (state: string, at: string | null, more: Partial<Delivery> = {}): Delivery => ({
  channel: 'push',
  name: 'Safari on iPhone',
  state,
  at,
  ...more,
})

test('the list of alerts says of each browser what became of a crossing, to its owner alone, and lists those that went on since', async () => {
  const email = await server.member()
  const signIn = async () => {
    const { body } = await server.logIn(email, PASSWORD)
    return person(server.app, async () => bearer(body.access_token))
  }
  const phone = await signIn()
  await server.database.orm.update(sessions).set({ device_label: 'Safari on iPhone' })
  const { id: widget } = await phone.add('bitcoin', 'ethereum')
  await phone.update(widget, { notifications_enabled: true, high_threshold: 21 })
  const browser = browserAt(service)
  const secret = await browser.subscribeForReceipts(phone)
  const shows = () =>
    server.ask('POST', '/push/shown', { event_ids: [`${widget}:high:0`] }, { authorization: `Receipt ${secret}` })
  await recordCrossing(server.database, widget, server.clock())
  await fanOut(server.database, server.clock())
  expect((await list(phone)).alerts[0]!.deliveries).toEqual([push('waiting', null)])
  await deliver()
  expect((await list(phone)).alerts[0]!.deliveries).toEqual([push('sent', iso())])
  expect((await list(me)).alerts).toEqual([])
  // An access token does not last.
  server.clock.advance(50 * MINUTE)
  const desk = await signIn()
  const since = `?since=${iso()}`
  expect((await list(desk, since)).alerts).toEqual([])
  await shows()
  const { alerts } = await list(desk, since)
  expect(alerts[0]).toMatchObject({ deliveries: [push('shown', iso(), { confirms: true })] })
  expect(alerts[0]).not.toHaveProperty('not_sent')
})

test('a crossing that no device or channel was told of says why, also when its browser is given up, refuses, or is too old for its kind', async () => {
  const fates = async () =>
    (await list(me, `?kinds=${EXTREME_KINDS.join(',')}`)).alerts.map(({ not_sent, deliveries }) => ({
      ...(not_sent !== undefined && { not_sent }),
      ...(deliveries && { deliveries: deliveries.map(({ state, reason }) => [state, reason]) }),
    }))
  const fire = async (epoch: number, change = {}) => {
    server.clock.advance(MINUTE)
    await crossing({ epoch, ...change })
    await deliver()
  }
  await fire(0)
  const gone = await browserOf()
  gone.reply({ status: 410 })
  await fire(1)
  const refusing = await browserOf()
  refusing.reply({ status: 403 })
  await fire(2)
  await fire(3)
  await browserOf()
  await me.ask('PUT', '/alerts/settings', { extremes: true }, key(undefined))
  await fire(4, { kind: 'extreme_high' })
  await me.ask(
    'PUT',
    '/alerts/settings',
    { paused_until: new Date(server.clock() + DAY).toISOString() },
    key(undefined),
  )
  await fire(5)
  expect(await fates()).toEqual([
    { not_sent: 'paused' },
    { not_sent: 'older-app' },
    { not_sent: 'no-way' },
    { deliveries: [['failed', 'refused']] },
    { not_sent: 'device-gone' },
    { not_sent: 'no-way' },
  ])
})
