import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs' // prettier-ignore
import { join } from 'node:path'
import { type KeptCustomer, keptCustomer } from './kept-customer'

/**
 * Where the sandbox's payment provider keeps its customers: a file each, replaced as a whole. What a customer has and
 * what has still to be told of it stand in the same file, so a process that dies leaves both or neither. Nothing here
 * waits, so within a process one change follows the other.
 */
export interface Ledger {
  /**
   * @returns null where there is no such customer
   * @throws Error where its file cannot be read
   */
  read(id: string): KeptCustomer | null
  ids(): string[]
  write(customer: KeptCustomer): void
  forget(id: string): void
}

const FILE = /^(cus_[0-9a-f]{24})\.json$/

export function ledgerIn(folder: string): Ledger {
  const fileOf = (id: string) => {
    const name = `${id}.json`
    return FILE.test(name) ? join(folder, name) : null
  }
  return {
    read(id) {
      const file = fileOf(id)
      if (file === null) return null
      const text = ifThere(() => readFileSync(file, 'utf8'), null)
      return text === null ? null : customerIn(text, file)
    },
    ids: () => ifThere(() => readdirSync(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []), []),
    write(customer) {
      const file = fileOf(customer.id)
      if (file === null) throw new Error(`${customer.id} is no id of a customer`)
      mkdirSync(folder, { recursive: true })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, JSON.stringify(customer, null, 2), { mode: 0o600, flush: true })
      renameSync(draft, file)
      flush(folder)
    },
    forget(id) {
      const file = fileOf(id)
      if (file !== null) rmSync(file, { force: true })
    },
  }
}

/** @throws Error where it is none: files are replaced as a whole, so somebody else has been at it */
function customerIn(text: string, file: string): KeptCustomer {
  try {
    return keptCustomer.parse(JSON.parse(text))
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
