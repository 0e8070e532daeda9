import type { Atom } from 'jotai'
import { useCallback, type RefObject } from 'react'
import { useFollow } from './use-follow'

/** Writes a number into an element as it moves, without a mark; the element is hidden while the number is not known. */
export function useQuietFigure<E extends HTMLElement>(
  source: Atom<number | null>,
  format: (value: number | null) => string,
): RefObject<E | null> {
  const write = useCallback(
    (element: E, value: number | null) => {
      const holder = element.parentElement
      if (holder !== null) holder.hidden = value === null
      element.textContent = value === null ? '' : format(value)
    },
    [format],
  )
  return useFollow<number | null, E>(source, write)
}
