import { useLayoutEffect, useRef, type RefObject } from 'react'

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
