import { atom, useAtomValue, useSetAtom } from 'jotai'
import { type MouseEvent, type Ref, type RefObject, useEffect, useMemo, useRef } from 'react'
import { chartPath } from '../../domain/pair'
import type { WidgetId } from '../../domain/ids'
import { cardFocusAtom } from '../../state/card-slot'
import styles from './chart-link.module.css'

/** Gives the card the focus once when it is the one that should have it, and scrolls it into view. */
export function useCardFocus<E extends HTMLElement>(key: string, id: string): RefObject<E | null> {
  const article = useRef<E>(null)
  const isMineAtom = useMemo(() => atom((get) => [key, id].includes(get(cardFocusAtom) ?? '')), [key, id])
  const isMine = useAtomValue(isMineAtom)
  const setWanted = useSetAtom(cardFocusAtom)
  useEffect(() => {
    if (!isMine) return
    article.current?.focus({ preventScroll: true })
    article.current?.scrollIntoView({ block: 'nearest' })
    setWanted(null)
  }, [isMine, setWanted])
  return article
}

interface ChartLinkProps {
  readonly widget: { readonly id: WidgetId }
  /** Such as "BTC / ETH". */
  readonly title: string
  readonly onOpenChart: (id: WidgetId) => void
  readonly ref?: Ref<HTMLAnchorElement>
}

/** The pair's name, which leads to its chart; a click with a modifier is the browser's, such as for a new tab. */
export function ChartLink({ widget, title, onOpenChart, ref }: ChartLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpenChart(widget.id)
  }
  return (
    <a ref={ref} href={chartPath(widget.id)} className={styles.link} onClick={open}>
      {title}
    </a>
  )
}
