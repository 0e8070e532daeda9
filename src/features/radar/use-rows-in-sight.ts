import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Rows drawn beyond either edge: a fling shows no gap, and the next one is there when the user tabs to it. */
const OVERSCAN = 8
/** The range moves by so many rows at a time, so that not every scrolled row renders the list. */
const GRAIN = 4

interface RowRange {
  readonly first: number
  /** Not itself in the range. */
  readonly end: number
}

/** Rows that a window over a list shows. @param top CSS pixels from the window's upper edge to the list's */
export function rowsInSight(top: number, windowHeight: number, rowHeight: number, count: number): RowRange {
  const down = (row: number) => Math.floor(row / GRAIN) * GRAIN
  const first = down(-top / rowHeight - OVERSCAN)
  const end = down((windowHeight - top) / rowHeight + OVERSCAN) + GRAIN
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) }
}

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
