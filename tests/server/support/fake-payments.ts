import { ApiError } from '../../../server/http/api-error'
import {
  type CheckoutOrder,
  type NewCustomer,
  type Payments,
  PaymentsUnavailable,
  type RemoteSubscription,
  UnknownCustomer,
} from '../../../server/adapters/payments/payments'
import { DAY } from '../../../src/domain/granularity'

/** The one signature that the fake accepts. */
export const SIGNED = 'signed by the fake'

/** A payment provider in memory, which a test tells what people pay for. */
export interface FakePayments extends Payments {
  /** Calls that reached it, in their order. */
  readonly calls: readonly string[]
  readonly customers: ReadonlyMap<string, NewCustomer>
  readonly orders: readonly CheckoutOrder[]
  /** No call succeeds while this is true. */
  down: boolean
  /** Called before `subscriptionsOf` answers with what was so when it was asked. */
  beforeAnswer: () => Promise<void>
  /** Adds a subscription to a customer; one with the same id is replaced. */
  put(customer: string, subscription: Partial<RemoteSubscription> & { readonly id: string }): RemoteSubscription
  /** An operator removes the customer at the provider. */
  forget(customer: string): void
}

/** @param clock milliseconds since 1970 */
export function fakePayments(clock: () => number): FakePayments {
  const calls: string[] = []
  const customers = new Map<string, NewCustomer>()
  const orders: CheckoutOrder[] = []
  const subscriptions = new Map<string, Map<string, RemoteSubscription>>()
  const asked = (call: string) => {
    calls.push(call)
    if (fake.down) throw new PaymentsUnavailable('the fake is down')
  }
  const known = (customer: string) => {
    if (!customers.has(customer)) throw new UnknownCustomer('the fake knows nobody of that name')
  }
  const fake: FakePayments = {
    sandbox: false,
    calls,
    customers,
    orders,
    down: false,
    price: async () => {
      asked('price')
      return { amount: '5.00', currency: 'EUR', interval: 'month', interval_count: 1 }
    },
    beforeAnswer: async () => undefined,
    put: (customer, given) => {
      const start = clock()
      const whole = {
        status: 'active',
        periodStart: start,
        periodEnd: start + 30 * DAY,
        createdAt: start,
        cancelAtPeriodEnd: false,
        ...given,
      }
      const all = subscriptions.get(customer) ?? new Map<string, RemoteSubscription>()
      subscriptions.set(customer, all.set(whole.id, whole))
      return whole
    },
    forget: (customer) => {
      customers.delete(customer)
      subscriptions.delete(customer)
    },
    createCustomer: async (user) => {
      asked('createCustomer')
      const id = ['cus', user.id, ...(user.replaces === null ? [] : [user.replaces])].join('_')
      customers.set(id, user)
      return id
    },
    createCheckout: async (order) => {
      asked('createCheckout')
      known(order.customer)
      orders.push(order)
      return { id: `cs_${orders.length}`, url: `https://pay.example.com/cs_${orders.length}` }
    },
    createPortal: async ({ customer }) => {
      asked('createPortal')
      known(customer)
      return { url: `https://pay.example.com/portal/${customer}` }
    },
    subscriptionsOf: async (customer) => {
      asked('subscriptionsOf')
      const answer = [...(subscriptions.get(customer)?.values() ?? [])]
      await fake.beforeAnswer()
      return answer
    },
    removeCustomer: async (customer) => {
      asked('removeCustomer')
      fake.forget(customer)
    },
    readEvent: (raw, signature) => {
      if (signature !== SIGNED) throw new ApiError('INVALID_SIGNATURE', 'Not signed by the fake.')
      return JSON.parse(raw.toString()) as ReturnType<Payments['readEvent']>
    },
  }
  return fake
}
