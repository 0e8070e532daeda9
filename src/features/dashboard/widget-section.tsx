import { lazy, Suspense, useEffect, useId, useState, type ComponentType } from 'react'
import type { WidgetView } from '../../db/view'
import type { CardSlot } from '../../state/card-slot'
import type { DragRegistry } from './drag-registry'
import styles from './widget-section.module.css'

const Sorting = lazy(async () => ({ default: (await import('./sorting')).Sorting }))

interface WidgetSectionProps extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove' | 'inactive'> {
  readonly title: string
  readonly widgets: readonly WidgetView[]
  readonly registry: DragRegistry
  readonly Card: ComponentType<CardSlot>
}

/** The cards of one kind, active or inactive. Order changes inside a section only. */
export function WidgetSection({ title, widgets, registry, Card, ...slot }: WidgetSectionProps) {
  const headingId = useId()
  const painted = usePainted()
  const nameOf = (key: string) => {
    const widget = widgets.find((candidate) => candidate.key === key)
    return widget === undefined ? 'Pair' : pairName(widget)
  }
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.title}>
        {title} <span className={styles.count}>{widgets.length}</span>
      </h2>
      {widgets.length === 0 ? (
        <p className={styles.empty}>No widgets added yet. Add a new pair to start tracking!</p>
      ) : (
        <ul className={styles.grid}>
          {widgets.map((widget, index) => (
            <li
              key={widget.key}
              className={styles.slot}
              ref={(element) => {
                if (element === null) return
                registry.slots.set(widget.key, element)
                return () => {
                  registry.slots.delete(widget.key)
                }
              }}
            >
              <Card widget={widget} index={index} count={widgets.length} drag={registry.start} {...slot} />
            </li>
          ))}
        </ul>
      )}
      {painted && widgets.length > 1 && (
        <Suspense fallback={null}>
          <Sorting
            keys={widgets.map((widget) => widget.key)}
            nameOf={nameOf}
            registry={registry}
            onMove={slot.onMove}
          />
        </Suspense>
      )}
    </section>
  )
}

export const pairName = ({ coinA, coinB }: WidgetView): string => `${coinA.symbol} / ${coinB.symbol}`

/** True once the first paint is out, so that what is only needed later is loaded later. */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), 0)
    return () => clearTimeout(timer)
  }, [])
  return painted
}
