import { X } from 'lucide-react'
import { useEffect, useId, type ReactNode } from 'react'
import { IconButton } from '../../ui/button'
import { isDragging } from '../../ui/drag-registry'
import { Waiting } from '../../ui/skeleton'
import styles from './chart-frame.module.css'

interface ChartFrameProps {
  /** The heading, and the name of the region. */
  readonly heading: string
  /** Stands at the end of the header, before the cross. */
  readonly aside?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Region, header and the ways out: the cross and Escape. */
export function ChartFrame({ heading, aside, onClose, children }: ChartFrameProps) {
  const headingId = useId()

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A menu, a dialog, a hint or a drag may have used the Escape.
      if (event.key !== 'Escape' || event.defaultPrevented || isDragging()) return
      if (document.querySelector('dialog[open]') !== null) return
      onClose()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onClose])

  return (
    <section className={styles.frame} aria-labelledby={headingId}>
      <header className={styles.header}>
        <h1 id={headingId} className={styles.heading} tabIndex={-1}>
          {heading}
        </h1>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        <IconButton label="Close chart" icon={X} className={styles.close} onClick={onClose} />
      </header>
      {children}
    </section>
  )
}

/** Stands in until the pair is known and the chart's code has loaded. */
export const ChartWaiting = ({ onClose }: { readonly onClose: () => void }) => (
  <ChartFrame heading="Historical Ratio" onClose={onClose}>
    <Waiting>Loading historical data for chart...</Waiting>
  </ChartFrame>
)
