import { useStore, type Atom } from 'jotai'
import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps an element at what an atom holds, by writing to the element itself: a poll changes hundreds of figures at once,
 * and rendering them would cost several times as much as changing them.
 * @param write is given the value before, undefined at first; must stay the same between renders
 */
export function useFollow<T, E extends Element>(
  source: Atom<T>,
  write: (element: E, value: T, before: T | undefined) => void,
): RefObject<E | null> {
  const store = useStore()
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    let shown = store.get(source)
    write(element, shown, undefined)
    return store.sub(source, () => {
      const before = shown
      shown = store.get(source)
      write(element, shown, before)
    })
  }, [store, source, write])
  return ref
}
