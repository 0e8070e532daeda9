import { type Atom, useStore } from 'jotai'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'

type Mark = 'rose' | 'fell'

/** Milliseconds that a changed figure stays marked. */
const MARKED_FOR = 900

let marked: HTMLElement[] = []
let timer: ReturnType<typeof setTimeout> | null = null

function unmark(): void {
  for (const element of marked) delete element.dataset.mark
  marked = []
  timer = null
}

/**
 * Marks an element for a moment as `data-mark`. A poll changes hundreds of figures at once: one timer ends all their
 * marks, and none of them renders or animates for it.
 */
function mark(element: HTMLElement, as: Mark): void {
  element.dataset.mark = as
  marked.push(element)
  if (timer === null) timer = setTimeout(unmark, MARKED_FOR)
}

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

interface FigureProps {
  readonly source: Atom<number | null>
  readonly format: (value: number | null) => string
  readonly className?: string | undefined
  readonly id?: string | undefined
}

/** A number that is marked for a moment when what it shows has changed. The mark takes no room. */
export function Figure({ source, format, className, id }: FigureProps) {
  const write = useCallback(
    (element: HTMLSpanElement, value: number | null, before: number | null | undefined) => {
      const text = format(value)
      const node = element.firstChild
      if (node?.nodeValue === text) return
      if (node === null) element.append(text)
      else node.nodeValue = text
      // A number that appears or disappears is no change.
      if (before != null && value !== null) mark(element, value > before ? 'rose' : 'fell')
    },
    [format],
  )
  const ref = useFollow(source, write)
  return <span ref={ref} id={id} className={classNames(styles.figure, className)} />
}
