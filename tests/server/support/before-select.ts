import type { Queryable } from '../../../server/db/open'

type Step = readonly [method: string, args: readonly unknown[]]
type Chain = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** The same database, but before its `nth` select (from 1) is asked, `between` happens: what another request does meanwhile. */
export function beforeSelect<T extends Queryable>(db: T, nth: number, between: () => Promise<unknown>): T {
  let count = 0
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'select') return value
      return (...args: unknown[]) => {
        const begin = () => (value as (...args: unknown[]) => unknown).apply(target, args)
        return ++count === nth ? later(between, begin, []) : begin()
      }
    },
  })
}

/** A query that is only written down, and built when it is awaited. */
const later = (between: () => Promise<unknown>, begin: () => unknown, steps: readonly Step[]): unknown =>
  new Proxy(
    {},
    {
      get(_target, name) {
        if (name !== 'then') {
          return (...args: unknown[]) => later(between, begin, [...steps, [String(name), args]])
        }
        const asked = between().then(() =>
          steps.reduce((query, [method, args]) => (query as Chain)[method]?.(...args), begin()),
        )
        return asked.then.bind(asked)
      },
    },
  )
