import type { FastifyBaseLogger } from 'fastify'
import { type PlanPrice, planPrice } from '../../../src/contract/plan-price'
import { HOUR } from '../../../src/domain/granularity'
import type { Payments } from '../../adapters/payments/payments'

/** Milliseconds that an answer of the provider is good for, and that a provider which failed is left alone. */
const AGE = HOUR
const REST = 60_000
/** Milliseconds that a request waits for the first answer; later ones are answered with what is known. */
const PATIENCE = 1_000

interface Deps {
  readonly payments: Payments
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * The price of Premium as the payment provider last said it; undefined while the provider has never answered, or sells at
 * no single price. Requests have the provider asked, at most once an hour; while it is away the known price stands, since
 * the amount of a price at Stripe never changes.
 */
export function knownPrice({ payments, clock, logger }: Deps): () => Promise<PlanPrice | undefined> {
  let known: PlanPrice | undefined
  let asked: Promise<void> | null = null
  let dueAt = -Infinity

  async function ask(): Promise<void> {
    try {
      const price = await payments.price()
      known = price === null ? undefined : planPrice.parse(price)
      dueAt = clock() + AGE
    } catch (error) {
      dueAt = clock() + REST
      logger?.error({ err: error }, 'the price of Premium could not be asked for')
    } finally {
      asked = null
    }
  }

  return async () => {
    const now = clock()
    // A clock that was put back must not make the rest endless.
    if (asked === null && (now >= dueAt || now < dueAt - AGE)) asked = ask()
    if (asked !== null && known === undefined) await atMost(asked)
    return known
  }
}

async function atMost(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
