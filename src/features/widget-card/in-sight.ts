/** Milliseconds between two updates of the figures that are out of sight. */
const OUT_OF_SIGHT_MS = 5_000

interface Follower {
  /** Brings the element up to date, without a mark. */
  readonly update: () => void
  /** Follows every change; returns the function that ends it. */
  readonly subscribe: () => () => void
  end: (() => void) | null
}

/** By card or row: its figures, while some are on the screen. */
const holders = new Map<Element, Set<Follower>>()
const outOfSight = new Set<Element>()
let timer: ReturnType<typeof setInterval> | undefined

const updateAll = (): void => {
  if (document.visibilityState !== 'visible') return
  for (const holder of outOfSight) for (const follower of holders.get(holder) ?? []) follower.update()
}

function show(holder: Element, isSeen: boolean): void {
  if (isSeen) outOfSight.delete(holder)
  else outOfSight.add(holder)
  for (const follower of holders.get(holder) ?? []) {
    if (isSeen && follower.end === null) {
      follower.update()
      follower.end = follower.subscribe()
    } else if (!isSeen) {
      follower.end?.()
      follower.end = null
    }
  }
  keepTimer()
}

/** The timer runs only while something is out of sight. */
function keepTimer(): void {
  if (outOfSight.size > 0) timer ??= setInterval(updateAll, OUT_OF_SIGHT_MS)
  else {
    clearInterval(timer)
    timer = undefined
  }
}

let observer: IntersectionObserver | undefined
const observe = (holder: Element): void => {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (holders.has(target)) show(target, isIntersecting)
  })
  observer.observe(holder)
}

/**
 * Follows a figure's value: at once while its card or row is in sight, else every five seconds, since prices of the second
 * for sixty cards cost the page more than the six that a user sees (decision 0136). Returns the function that ends it.
 */
export function followInSight(
  element: Element,
  { update, subscribe }: Pick<Follower, 'update' | 'subscribe'>,
): () => void {
  const holder = typeof IntersectionObserver === 'undefined' ? null : element.closest('article, [role="row"]')
  if (holder === null) return subscribe()
  const follower: Follower = { update, subscribe, end: outOfSight.has(holder) ? null : subscribe() }
  const known = holders.get(holder)
  if (known === undefined) {
    holders.set(holder, new Set([follower]))
    observe(holder)
  } else known.add(follower)
  return () => {
    follower.end?.()
    const rest = holders.get(holder)
    rest?.delete(follower)
    if (rest === undefined || rest.size > 0) return
    holders.delete(holder)
    outOfSight.delete(holder)
    keepTimer()
    observer?.unobserve(holder)
  }
}
