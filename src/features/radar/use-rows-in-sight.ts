import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { type RowRange, rowsInSight } from '../../domain/rows-in-sight'

/** The rows to draw of a list that scrolls with the window; all rows have one height, in CSS pixels. */
export function useRowsInSight(list: RefObject<HTMLElement | null>, rowHeight: number, count: number): RowRange {
  const [range, setRange] = useState<RowRange>({ first: 0, end: 0 })
  useLayoutEffect(() => {
    /** From the document's upper edge; asked for while the user scrolls, it would cost a layout a frame. */
    let top = 0
    const update = () => {
      const next = rowsInSight(top - window.scrollY, window.innerHeight, rowHeight, count)
      setRange((known) => (known.first === next.first && known.end === next.end ? known : next))
    }
    const measure = () => {
      top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      update()
    }
    measure()
    // The document's height changes with everything above the list.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(measure)
    observer?.observe(document.body)
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      observer?.disconnect()
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', measure)
    }
  }, [list, rowHeight, count])
  return range
}

/** The list's place when the user last left it, for the way back. */
let left: { readonly search: string; readonly y: number } | null = null

/** Scrolls to where the user was at this address. The shell scrolls a screen that was not gone back to to its top. */
export function useScrollPlace(): void {
  useLayoutEffect(() => {
    if (left !== null && left.search === location.search) window.scrollTo(0, left.y)
  }, [])
  useEffect(() => {
    const note = () => {
      left = { search: location.search, y: window.scrollY }
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [])
}
