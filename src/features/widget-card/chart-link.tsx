import type { MouseEvent, Ref } from 'react'
import { chartPath } from '../../domain/chart-path'
import type { WidgetId } from '../../domain/ids'
import styles from './chart-link.module.css'

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
