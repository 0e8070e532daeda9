import { beforeEach, expect, test, vi } from 'vitest'
import { PaymentsUnavailable } from '../../server/adapters/payments/payments'
import { whileAvailable } from '../../server/services/billing/payment-provider'
import { fakePayments } from './support/fake-payments'

/** Milliseconds that a request has before it is answered as a fault of the server. */
const REQUEST = 20_000

beforeEach(() => void vi.useFakeTimers())
const deps = { payments: fakePayments(() => 0) }
const after = <T>(milliseconds: number, end: () => T) =>
  whileAvailable(deps, () => new Promise((resolve) => setTimeout(resolve, milliseconds)).then(end))

test('a payment provider call that takes too long is refused as BILLING_UNAVAILABLE before the request times out', async () => {
  const late = after(REQUEST + 1_000, () => {
    throw new PaymentsUnavailable('nobody waits for this any more')
  })
  const told = expect(late).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(REQUEST - 1_000)
  await told
  await vi.advanceTimersByTimeAsync(REQUEST)
})

test('a payment provider call that ends in time leaves no timer running', async () => {
  const done = after(15_000, () => 'done')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await done).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})
