import type { Atom } from 'jotai'
import { useCallback } from 'react'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'
import { mark } from './mark'
import { useFollow } from './use-follow'

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
