import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const instant = z.number()

const ledgerSubscription = z.object({
  id: z.string(),
  status: z.enum(['active', 'canceled']),
  createdAt: instant,
  periodStart: instant,
  periodEnd: instant,
})
export type LedgerSubscription = z.infer<typeof ledgerSubscription>

const ledgerCheckout = z.object({
  id: z.string(),
  createdAt: instant,
  status: z.enum(['open', 'complete']),
  successUrl: z.string(),
  cancelUrl: z.string(),
})
export type LedgerCheckout = z.infer<typeof ledgerCheckout>

const ledgerVisit = z.object({ id: z.string(), createdAt: instant, returnUrl: z.string() })

const ledgerEvent = z.object({
  id: z.string(),
  createdAt: instant,
  type: z.string(),
  /** Object of the event, as far as the webhook needs it. */
  object: z.record(z.string(), z.string()),
})
export type LedgerEvent = z.infer<typeof ledgerEvent>

/** All that the sandbox's payment provider knows of one customer. Instants are milliseconds since 1970. */
const ledgerCustomer = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  createdAt: instant,
  /** Removed; kept until its last event was posted. */
  removed: z.boolean(),
  /** In the order in which they were made, as are the others. */
  subscriptions: z.array(ledgerSubscription),
  checkouts: z.array(ledgerCheckout),
  visits: z.array(ledgerVisit),
  /** When each was paid. */
  invoices: z.array(z.object({ id: z.string(), paidAt: instant })),
  /** Events not delivered yet. */
  events: z.array(ledgerEvent),
})
export type LedgerCustomer = z.infer<typeof ledgerCustomer>

export type Ledger = ReturnType<typeof ledgerIn>

const FILE = /^(cus_[0-9a-f]{24})\.json$/

/**
 * Storage of the sandbox's customers: a file each, replaced as a whole. A customer's rows and its undelivered events stand
 * in the same file, so a process that dies leaves both or neither. No call waits, so within a process one change follows
 * the other.
 */
export function ledgerIn(folder: string) {
  const fileOf = (id: string) => {
    const name = `${id}.json`
    return FILE.test(name) ? join(folder, name) : null
  }
  return {
    /**
     * @returns null where there is no such customer
     * @throws Error where its file cannot be read
     */
    read(id: string): LedgerCustomer | null {
      const file = fileOf(id)
      if (file === null) return null
      const text = ifThere(() => readFileSync(file, 'utf8'), null)
      return text === null ? null : customerIn(text, file)
    },
    ids: (): string[] => ifThere(() => readdirSync(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []), []),
    write(customer: LedgerCustomer): void {
      const file = fileOf(customer.id)
      if (file === null) throw new Error(`${customer.id} is no id of a customer`)
      mkdirSync(folder, { recursive: true })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, JSON.stringify(customer, null, 2), { mode: 0o600, flush: true })
      renameSync(draft, file)
      flush(folder)
    },
    forget(id: string): void {
      const file = fileOf(id)
      if (file !== null) rmSync(file, { force: true })
    },
  }
}

/** @throws Error for a damaged file: the server replaces files as a whole, so another program has changed it */
function customerIn(text: string, file: string): LedgerCustomer {
  try {
    return ledgerCustomer.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is no customer of the sandbox. Repair or remove it.`, { cause: error })
  }
}

/** A name is on the disk when its folder is. */
function flush(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}
