import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { WidgetView } from '../../../db/view'
import type { WidgetId } from '../../../domain/ids'

/** Milliseconds that a row takes to its new place. */
const GLIDE_MS = 200

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Lets the children of an element glide to their places when their order has changed; with reduced motion they jump. */
export function useGlide(body: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<Element, number>())
  useLayoutEffect(() => {
    const before = places.current
    const rows = [...(body.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    places.current = new Map(rows.map((row) => [row, row.offsetTop]))
    if (reducesMotion()) return
    for (const row of rows) {
      const shift = (before.get(row) ?? row.offsetTop) - row.offsetTop
      if (shift !== 0) row.animate?.({ translate: [`0 ${shift}px`, '0 0'] }, { duration: GLIDE_MS, easing: 'ease-out' })
    }
  })
}

/** Milliseconds that the focus must stay on a pair before its chart opens: a held key moves past the others. */
const REST_MS = 150

/** The user moves over the pairs by keys: the focus moves at once, the chart once it stays. @param shown the pair of the chart */
export function useWalk(
  body: RefObject<HTMLElement | null>,
  rows: readonly WidgetView[],
  shown: string | null,
  onArrive: (id: WidgetId) => void,
): (step: 1 | -1 | 'first') => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  return (step) => {
    const links = [...(body.current?.children ?? [])].map((row) => row.querySelector('a'))
    const focused = links.findIndex(
      (link) => link !== null && link.closest('[role="row"]')?.contains(document.activeElement),
    )
    const from = focused === -1 ? rows.findIndex(({ id }) => id === shown) : focused
    const to = step === 'first' ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))
    const target = rows[to]
    if (target === undefined) return
    links[to]?.focus({ preventScroll: true })
    links[to]?.closest('[role="row"]')?.scrollIntoView({ block: 'nearest' })
    clearTimeout(timer.current)
    if (target.id !== shown) timer.current = setTimeout(() => onArrive(target.id), REST_MS)
  }
}
