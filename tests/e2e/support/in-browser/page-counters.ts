/*
 * Runs in every page before the app, and counts what the app has the page's own thread do: transactions and requests of
 * IndexedDB, commits of React, writes to the document, and how far the layout shifts.
 */

/** All of them grow as long as the page lives. */
const counts = { transactions: 0, writing: 0, requests: 0, commits: 0, documentWrites: 0, shift: 0 }
/** Transactions, and openings of databases, that have not ended. */
let open = 0

/** The methods that make a request within a transaction. */
const REQUESTS = {
  IDBObjectStore: ['add', 'clear', 'count', 'delete', 'get', 'getAll', 'getAllKeys', 'getAllRecords', 'getKey', 'put'],
  IDBIndex: ['count', 'get', 'getAll', 'getAllKeys', 'getAllRecords', 'getKey'],
  IDBCursor: ['advance', 'continue', 'continuePrimaryKey', 'delete', 'update'],
} as const
const OPENING_CURSORS = ['openCursor', 'openKeyCursor'] as const

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Has `seen` called with what a method returns, where this browser has the method. */
function watch(interfaceName: string, method: string, seen: (returned: unknown) => void): void {
  const { prototype } = (globalThis as unknown as Record<string, { prototype: Record<string, Method> }>)[interfaceName]!
  const original = prototype[method]
  if (original === undefined) return
  prototype[method] = function (...args) {
    const returned = Reflect.apply(original, this, args)
    seen(returned)
    return returned
  }
}

/** Counts a target as open until one of two events. */
function untilEvent(target: EventTarget, ends: readonly [string, string]): void {
  open += 1
  const ended = new AbortController()
  const end = () => {
    open -= 1
    ended.abort()
  }
  for (const name of ends) target.addEventListener(name, end, { signal: ended.signal })
}

watch('IDBFactory', 'open', (opening) => untilEvent(opening as IDBOpenDBRequest, ['success', 'error']))
watch('IDBDatabase', 'transaction', (made) => {
  const transaction = made as IDBTransaction
  counts.transactions += 1
  if (transaction.mode === 'readwrite') counts.writing += 1
  untilEvent(transaction, ['complete', 'abort'])
})
for (const [interfaceName, methods] of Object.entries(REQUESTS)) {
  for (const method of interfaceName === 'IDBCursor' ? methods : [...methods, ...OPENING_CURSORS]) {
    watch(interfaceName, method, () => {
      counts.requests += 1
    })
  }
}

// React, in production as well, tells its developer tools of each commit if their hook is there before React is.
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: () => {
      counts.commits += 1
    },
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  },
})

new MutationObserver((records) => {
  counts.documentWrites += records.length
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })

interface LayoutShift extends PerformanceEntry {
  readonly value: number
}
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries() as LayoutShift[]) counts.shift += value
}).observe({ type: 'layout-shift', buffered: true })

/** The counts after the next frame, and `open`. */
async function readCounts() {
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
  return { ...counts, open }
}

Object.assign(globalThis, { readCounts })
