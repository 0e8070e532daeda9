import { useStore } from 'jotai'
import { startTransition, useEffect, useState } from 'react'
import { startFeedsAtom } from './live-data'

/** Cards that come with each paint. */
const CARDS_A_PAINT = 5
/** Square pixels that a card takes at least, with the space around it. */
const CARD_AREA = 100_000

/**
 * At the page's first paint the items in sight, then more with each paint until all are there: fifty cards take a phone
 * more than a second. Later screens have all at once, since a browser that goes back restores a scroll position.
 */
export function useInSteps<T>(items: readonly T[]): readonly T[] {
  const store = useStore()
  const [count, setCount] = useState(() =>
    store.get(startFeedsAtom) === null ? Math.ceil((innerWidth * innerHeight) / CARD_AREA) : Infinity,
  )
  useEffect(() => {
    if (count < items.length) startTransition(() => setCount((shown) => shown + CARDS_A_PAINT))
  }, [count, items.length])
  return items.slice(0, count)
}
