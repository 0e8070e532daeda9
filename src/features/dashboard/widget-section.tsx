import { useId, type ComponentType, type ReactNode } from 'react'
import type { WidgetView } from '../../db/view'
import { pairTitle } from '../../domain/pair'
import type { CardSlot } from '../../state/card-slot'
import type { DragRegistry } from '../../ui/drag-registry'
import { deferredComponent } from '../../ui/deferred-component'
import { SortingWhenLoaded } from '../../ui/sorting-when-loaded'
import type { InactiveNotices } from './inactive-reason'
import styles from './widget-section.module.css'

const InactiveHead = deferredComponent(async () => (await import('./inactive-head')).InactiveHead)

interface WidgetSectionProps extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove'> {
  readonly title: string
  readonly widgets: readonly WidgetView[]
  /** Null for the active section. */
  readonly inactive: InactiveNotices | null
  /** How many pairs are active. */
  readonly active: number
  readonly registry: DragRegistry
  readonly Card: ComponentType<CardSlot>
  /** Stands in place of the cards. */
  readonly list?: ReactNode
}

/** The cards of one kind, active or inactive. Order changes inside a section only. */
export function WidgetSection({ title, widgets, inactive, active, registry, Card, list, ...slot }: WidgetSectionProps) {
  const headingId = useId()
  const nameOf = (key: string) => {
    const widget = widgets.find((candidate) => candidate.key === key)
    return widget === undefined ? 'Pair' : pairTitle(widget)
  }
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.title}>
        {title} <span className={styles.count}>{widgets.length}</span>
      </h2>
      {inactive && <InactiveHead notice={inactive.first} active={active} />}
      {widgets.length === 0 ? (
        // Only the active section is shown empty, beside inactive pairs: pairs have been added (decision 0127).
        <p className={styles.empty}>None of your widgets is active.</p>
      ) : list ? (
        // Of the rows' height until their code has come.
        <div style={{ minHeight: `${widgets.length * 4}rem` }}>{list}</div>
      ) : (
        <ul className={styles.grid}>
          {widgets.map((widget, index) => (
            <li key={widget.key} className={styles.slot} ref={registry.slotRef(widget.key)}>
              <Card
                widget={widget}
                index={index}
                count={widgets.length}
                inactive={inactive && (index === 0 ? inactive.first : inactive.rest)}
                drag={registry.start}
                {...slot}
              />
            </li>
          ))}
        </ul>
      )}
      {!list && widgets.length > 1 && (
        <SortingWhenLoaded
          keys={widgets.map((widget) => widget.key)}
          nameOf={nameOf}
          registry={registry}
          onMove={slot.onMove}
        />
      )}
    </section>
  )
}
