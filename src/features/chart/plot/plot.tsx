import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import { createPlot, type PlotHandle } from './create-plot'
import type { PlotView } from './model'
import styles from './plot.module.css'
import type { Window } from './zoom'

interface PlotProps extends PlotView {
  /** The plot's name for screen readers. */
  readonly label: string
  /** Id of what says how it is used. */
  readonly describedBy: string
  /** An older chart that stands in while the wanted one loads. */
  readonly dimmed: boolean
  readonly onView: (zoomed: Window | null) => void
  readonly ref: Ref<Pick<PlotHandle, 'reset'>>
}

const classes = {
  box: styles.readout ?? '',
  date: styles.date ?? '',
  row: styles.row ?? '',
}

/** The canvas. It is made once and lives through all periods, so that switching them never flashes. */
export function Plot({ period, chart, toggles, references, label, describedBy, dimmed, onView, ref }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<PlotHandle>(null)
  const create = useEffectEvent((element: HTMLElement) =>
    createPlot(element, { period, chart, toggles, references }, { classes, onView }),
  )

  useEffect(() => {
    if (host.current === null) return
    const made = create(host.current)
    plot.current = made
    return () => {
      plot.current = null
      made.destroy()
    }
  }, [])

  // Before the browser paints: the chart stands in the frame that has its period's figures.
  useLayoutEffect(
    () => plot.current?.show({ period, chart, toggles, references }),
    [period, chart, toggles, references],
  )
  useImperativeHandle(
    ref,
    () => ({
      reset() {
        plot.current?.reset()
        // The button that asked for it goes away.
        host.current?.focus()
      },
    }),
    [],
  )

  return (
    <div
      ref={host}
      className={styles.plot}
      data-dimmed={dimmed}
      // A slider over the points: its value is the point under the crosshair, in words (plot/readout.ts).
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuenow={0}
    />
  )
}
