import { expect, test } from 'vitest'
import { weatherStorm } from './support/push-storm'

/* A small share of tests/bars/push-delivery.bars.ts. */

test(
  '312 alert deliveries, to push services that answer in twelve ways, each end as the push service’s answer demands',
  { tags: ['full'], timeout: 120_000 },
  async () => {
    const heard = await weatherStorm({ owners: 4, browsers: 13, silentEvery: Infinity, crossings: 6, workers: 2 })
    console.log(`${heard.deliveries} deliveries, ${heard.requests} requests`)
    expect(heard.deliveries).toBe(312)
  },
)
