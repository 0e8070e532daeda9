import { useEffect, useState } from 'react'
import { lazyPart } from './lazy-part'
import type { SortingProps } from './sorting'

const Sorting = lazyPart(async () => (await import('./sorting')).Sorting)

/**
 * Drag and drop for one list, from when its code has come. Where it cannot be had it is asked for again with the next
 * connection; until then things move by their menus.
 */
export function SortingWhenLoaded(props: SortingProps) {
  const painted = usePainted()
  const [missing, setMissing] = useState(false)

  useEffect(() => {
    if (!missing) return
    const again = () => setMissing(false)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [missing])

  return painted && !missing ? <Sorting {...props} onMissing={() => setMissing(true)} /> : null
}

/** True once the first paint is out, so that what is only needed later is loaded later. */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), 0)
    return () => clearTimeout(timer)
  }, [])
  return painted
}
