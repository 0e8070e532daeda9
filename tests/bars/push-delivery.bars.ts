import { expect, test } from 'vitest'
import { weatherStorm } from '../server/support/push-storm'
import { compareThroughput } from '../server/support/push-throughput'

test('10,000 alert deliveries, to push services that answer in thirteen ways, each end as the push service’s answer demands', async () => {
  const heard = await weatherStorm({ owners: 50, browsers: 20, silentEvery: 50, crossings: 10, workers: 3 })
  console.log(`${heard.deliveries} deliveries, ${heard.requests} requests, ${Math.round(heard.seconds)} s`)
  expect(heard.deliveries).toBe(10_000)
})

test('the push sender, reusing its VAPID header, sends at least 1.8 times as many messages a second as plain web-push', async () => {
  const { ours, plain } = await compareThroughput({ messages: 500, turns: 12 })
  console.log(
    `${Math.round(ours)} messages a second, plain web-push ${Math.round(plain)}: ${(ours / plain).toFixed(2)}`,
  )
  expect(ours / plain).toBeGreaterThanOrEqual(1.8)
})
