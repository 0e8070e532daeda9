import { expect, test } from 'vitest'
import type { Change } from '../../server/db/changes'
import { hashOfSecret } from '../../server/services/secrets'
import type { Device } from '../../src/contract/device'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { mail_requests } from '../../server/db/schema/mail'
import { silentDevicesJob } from '../../server/services/push/silent-devices'
import { bearer, PASSWORD } from './support/accounts'
import { browserAt } from './support/browser'
import { recordCrossing } from './support/crossings'
import { deliver, deliveries, events, server, service, setPushScene, subscriptions } from './support/push-scene'
import { person } from './support/person'

setPushScene()

/** A signed-in phone, whose account has other browsers, that gets the alerts of a pair. */
async function phoneOfAccount() {
  const email = await server.member()
  const signIn = async () => {
    const { body } = await server.logIn(email, PASSWORD)
    return person(server.app, async () => bearer(body.access_token))
  }
  const phone = await signIn()
  const { id: widget } = await phone.add('bitcoin', 'ethereum')
  await phone.update(widget, { notifications_enabled: true, high_threshold: 21 })
  const browser = browserAt(service)
  const secret = await browser.subscribeForReceipts(phone)
  const confirm = async (epochs: readonly number[], shownTo = secret) => {
    const event_ids = epochs.map((epoch) => `${widget}:high:${epoch}`)
    return (await server.ask('POST', '/push/shown', { event_ids }, { authorization: `Receipt ${shownTo}` })).status
  }
  const fire = async (epoch: number) => {
    await recordCrossing(server.database, widget, server.clock(), { epoch })
    await deliver()
  }
  /** As the account sees it from another browser, that logs in now: an access token does not last. */
  const silent = async () => {
    const { body } = await (await signIn()).ask<Device[]>('GET', '/users/me/sessions')
    return body.flatMap(({ unshown = [] }) => unshown)
  }
  return { phone, browser, widget, secret, confirm, fire, silent }
}

test('a browser that takes receipts gets pushes in the declarative shape beside the fields that its service worker reads', async () => {
  const { browser, widget, fire } = await phoneOfAccount()
  const older = browserAt(service)
  await older.subscribe(server.guest())
  await fire(3)
  expect(browser.payloads).toMatchObject([
    {
      web_push: 8030,
      mutable: true,
      notification: {
        title: 'BTC / ETH',
        body: 'Sell alert: BTC / ETH. Ratio 21.5000 is above 21.0000.',
        tag: `${widget}:high:3`,
        navigate: `${server.env.PUBLIC_URL}/chart/${widget}`,
      },
      type: 'alert',
      event_id: `${widget}:high:3`,
    },
  ])
  expect(browser.heads).toMatchObject([{ 'content-type': 'application/notification+json' }])
})

test('a browser that confirmed once and has not for three alerts is named in the list of devices until it confirms again', async () => {
  const { confirm, fire, silent, secret } = await phoneOfAccount()
  await fire(1)
  server.clock.advance(11 * MINUTE)
  expect(await silent(), 'it never confirmed any').toEqual([])
  expect(await confirm([1, 99])).toBe(204)
  server.clock.advance(MINUTE)
  for (const epoch of [2, 3]) await fire(epoch)
  server.clock.advance(11 * MINUTE)
  expect(await silent()).toEqual([])
  await fire(4)
  expect(await silent(), 'it may still show the third').toEqual([])
  server.clock.advance(11 * MINUTE)
  expect(await silent()).toEqual([3])
  expect(await confirm([4])).toBe(204)
  expect(await silent()).toEqual([])
  expect((await deliveries()).filter(({ shown_at }) => shown_at !== null)).toHaveLength(2)
  expect(await subscriptions()).toMatchObject([{ receipt_hash: hashOfSecret(secret) }])
})

test('a browser that shows nothing more is named once by the account’s other ways, on open pages and by mail, whatever is snoozed, until it shows an alert again', async () => {
  const { phone, browser, widget, confirm, fire } = await phoneOfAccount()
  const desk = browserAt(service)
  await desk.subscribe(phone, undefined, ['device_silent'])
  const look = () =>
    silentDevicesJob({ database: server.database, clock: server.clock }).run(new AbortController().signal)
  const named = async () => {
    await deliver()
    return desk.alerts.flatMap(({ kind, note }) => (kind === 'device_silent' ? [note] : []))
  }
  await fire(1)
  await confirm([1])
  const fallSilent = async (epoch: number) => {
    server.clock.advance(MINUTE)
    for (const next of [0, 1, 2]) await fire(epoch + next)
    await look()
    expect(await named(), 'it may still show them').toHaveLength(epoch === 2 ? 0 : 1)
    server.clock.advance(11 * MINUTE)
  }
  await fallSilent(2)
  await phone.update(widget, { snoozed_until: new Date(server.clock() + HOUR).toISOString() })
  await Promise.all([look(), look()])
  await look()
  expect(await named()).toHaveLength(1)
  const mails = async () => (await server.rows(mail_requests)).filter(({ kind }) => kind === 'device-silent')
  expect(await mails()).toHaveLength(1)
  expect(browser.alerts.map(({ kind }) => kind ?? 'threshold')).toEqual(Array.from({ length: 4 }, () => 'threshold'))

  const over = async () => (await events()).filter(({ kind, back_at }) => kind === 'device_silent' && back_at !== null)
  expect(await over()).toEqual([])
  await confirm([4])
  expect(await over()).toHaveLength(1)
  await phone.update(widget, { snoozed_until: null })
  await fallSilent(5)
  const published: Change[] = []
  const stop = server.database.changes.subscribe((changes) => published.push(...changes))
  await look()
  stop()
  expect(published).toEqual([
    { kind: 'alert', owner: expect.any(String), eventId: expect.stringMatching(/^rule:.*:\d+$/) },
  ])
  expect([(await named()).length, (await mails()).length]).toEqual([2, 2])
})

test('a receipt with an unknown secret, or one of before the browser registered anew, is refused with 401', async () => {
  const { phone, browser, secret, confirm } = await phoneOfAccount()
  const next = await browser.subscribeForReceipts(phone)
  expect(next).toMatch(/^[\w-]{43}$/)
  expect([await confirm([]), await confirm([], next.toUpperCase()), await confirm([], next)]).toEqual([401, 401, 204])
  await browser.subscribe(phone)
  expect(await confirm([], next), 'an older version of the app has no receipts').toBe(401)
  expect(secret).not.toBe(next)
})
