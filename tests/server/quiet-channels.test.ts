import { expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import type { AlertsAnswer } from '../../src/contract/alerts'
import { crossing, deliver, me, outcomes, server, setChannelScene, sink, webhook } from './support/channel-scene'
import { key } from './support/person'

setChannelScene()

test('a channel gets what quiet hours held in one digest at their end, under one id however often it is tried', async () => {
  await webhook()
  const quiet_hours = { from: '11:00', to: '13:30', days: [4], time_zone: 'UTC' }
  await me.ask('PUT', '/alerts/settings', { quiet_hours }, key(undefined))
  for (const epoch of [0, 1]) {
    await crossing({ epoch })
    await deliver()
  }
  const { alerts } = (await me.ask<AlertsAnswer>('GET', '/alerts')).body
  expect(alerts[0]!.deliveries).toMatchObject([{ channel: 'webhook', state: 'held' }])
  server.clock.advance(1.5 * HOUR - 1)
  await deliver()
  expect(sink.requests).toEqual([])
  server.clock.advance(1)
  sink.reply({ status: 503 })
  await deliver()
  server.clock.advance(24 * HOUR)
  sink.reply({ status: 204 })
  await deliver()
  await deliver()
  const told = sink.requests.map(({ body }) => JSON.parse(body) as { data: { alerts: { event_id: string }[] } })
  expect(told.map(({ data }) => data.alerts.map(({ event_id }) => event_id.split(':').at(-1)))).toEqual([
    ['0', '1'],
    ['0', '1'],
  ])
  expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await outcomes()).toEqual(['sent', 'sent'])
})
