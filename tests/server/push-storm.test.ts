import { expect, test } from 'vitest'
import { weatherStorm } from './support/push-storm'

/* A small share of tests/bars/push-delivery.bars.ts. */

test('hundreds of deliveries to push services of every kind: each gets what it deserves', async () => {
  const heard = await weatherStorm({ owners: 4, browsers: 13, silentEvery: Infinity, crossings: 6, workers: 2 })
  console.log(`${heard.deliveries} deliveries, ${heard.requests} requests`)
  expect(heard.deliveries).toBe(312)
}, 120_000)
