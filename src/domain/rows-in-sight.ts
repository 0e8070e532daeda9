/** Rows drawn beyond either edge: a fling shows no gap, and the next one is there when the user tabs to it. */
const OVERSCAN = 8

/** The range moves by so many rows at a time, so that not every scrolled row renders the list. */
const GRAIN = 4

export interface RowRange {
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
