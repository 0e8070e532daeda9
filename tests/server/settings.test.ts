import { ALERT_FEATURES } from '../../src/contract/settings'
import { expect, test } from 'vitest'
import { config, tierLimits } from '../../src/contract/settings'
import { fakePayments } from './support/fake-payments'
import { withServer } from './support/for-file'
import { VERSION } from '../../server/program-files'
import { testApp } from './support/test-app'
import { TEST_VAPID } from './support/test-vapid'

const server = withServer()

test('tier limits are those of the specification unless environment variables override them', async () => {
  const answer = await server.app.inject('/api/v1/settings/tier-limits')
  expect(answer.json()).toEqual({
    free: { max_widgets: 5, max_checkpoints_per_widget: 1, radar_coins: 20 },
    premium: { max_widgets: 50, max_checkpoints_per_widget: 20, radar_coins: 100 },
  })
  const other = await testApp({
    database: server.database,
    env: { FREE_MAX_WIDGETS: '7', PREMIUM_MAX_CHECKPOINTS: '9', FREE_RADAR_COINS: '12' },
  })
  const configured = tierLimits.parse((await other.app.inject('/api/v1/settings/tier-limits')).json())
  const { free, premium } = configured
  expect([free.max_widgets, premium.max_checkpoints_per_widget, free.radar_coins]).toEqual([7, 9, 12])
  await other.close()
})

test('/api/v1/config reports version, VAPID key, Google, billing, market data source and support email', async () => {
  const answer = config.parse((await server.app.inject('/api/v1/config')).json())
  expect(answer).toEqual({
    version: VERSION,
    vapid_public_key: TEST_VAPID.VAPID_PUBLIC_KEY,
    google: null,
    billing: { available: false, sandbox: false },
    market_data: { source: 'simulated', price_url: '/api/v3', attribution: server.market.attribution, stream: null },
    support_email: server.env.SUPPORT_EMAIL,
    alert_features: [...ALERT_FEATURES],
  })
})

test('/api/v1/config reports billing as available and not as a sandbox when payments are configured', async () => {
  const other = await testApp({ database: server.database, deps: { payments: fakePayments(server.clock) } })
  const { billing } = config.parse((await other.app.inject('/api/v1/config')).json())
  expect(billing).toMatchObject({ available: true, sandbox: false })
  await other.close()
})

test('the OpenAPI document has version 3.1.0 and names the schemas Widget, Checkpoint, Coin and Error', async () => {
  const document = (await server.app.inject('/api/v1/openapi.json')).json<{
    openapi: string
    components: { schemas: Record<string, unknown> }
  }>()
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Widget', 'Checkpoint', 'Coin', 'Error']),
  )
})

test('/metrics counts requests by route pattern, without ids from the URL', async () => {
  await server.app.inject('/api/v1/coins/bitcoin/historical?period=1d')
  const answer = await server.app.inject('/metrics')
  expect(answer.headers['content-type']).toContain('text/plain')
  expect(answer.payload).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/coins\/:id\/historical",status="200"\} [1-9]/,
  )
  expect(answer.payload).not.toContain('bitcoin')
})
