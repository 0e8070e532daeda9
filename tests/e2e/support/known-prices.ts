import { expect } from 'playwright/test'

/** Waits until the server has the pinned prices; asking makes it watch these coins. */
export const serverKnows = (origin: string, wanted: Readonly<Record<string, number>>) =>
  expect
    .poll(async () => {
      const ids = Object.keys(wanted)
      const answer = await fetch(`${origin}/api/v3/simple/price?ids=${ids.join(',')}&vs_currencies=usd`)
      const prices = (await answer.json()) as Readonly<Record<string, { readonly usd: number }>>
      return Object.fromEntries(ids.map((id) => [id, prices[id]?.usd]))
    })
    .toEqual(wanted)
