import { expect, test, vi } from 'vitest'
import { coalesce } from '../../src/sync/engine'

test('calls during a coalesced run lead to one more run, for the strongest of their reasons', async () => {
  const runs: string[] = []
  const ends: (() => void)[] = []
  const ask = coalesce((reason) => {
    runs.push(reason)
    return new Promise((resolve) => ends.push(resolve))
  })
  const first = ask('start')
  const later = [ask('tick'), ask('online'), ask('command')]
  ends[0]!()
  await first
  await vi.waitFor(() => expect(runs).toEqual(['start', 'online']))
  ends[1]!()
  await Promise.all(later)
  expect(runs).toHaveLength(2)
})

test('a call in the moment that a coalesced run ends joins the waiting calls, and two runs never overlap', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const asks: Promise<void>[] = []
  const ask = coalesce(() => {
    most = Math.max(most, (running += 1))
    const work = new Promise<void>((resolve) => ends.push(resolve)).then(() => void (running -= 1))
    // Heard after the queue has noted the end, and before it begins the next run.
    if (asks.length === 0) queueMicrotask(() => void work.then(() => asks.push(ask('command'))))
    return work
  })
  asks.push(ask('start'), ask('tick'))
  ends[0]!()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve))
  for (const end of ends) end()
  await Promise.all(asks)
  expect(most).toBe(1)
})
