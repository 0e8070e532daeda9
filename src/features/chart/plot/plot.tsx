import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import type { PlotView } from './model'
import styles from './plot.module.css'
import type { Window } from '../../../domain/zoom-window'
import { type PlotHandle, createPlot } from './create-plot'

interface PlotProps extends PlotView {
  /** The plot's name for screen readers. */
  readonly label: string
  /** Id of the element that says how the plot is used. */
  readonly describedBy: string
  /** An older chart stands in while the chosen one loads. */
  readonly dimmed: boolean
  readonly onView: (zoomed: Window | null) => void
  /** Called after every drawing; must stay the same between renders. */
  readonly onDraw?: (() => void) | undefined
  readonly ref: Ref<PlotControls>
}

const classes = {
  box: styles.readout ?? '',
  date: styles.date ?? '',
  row: styles.row ?? '',
}

/** The canvas, made once for all periods, so that switching them never flashes. */
export function Plot({ label, describedBy, dimmed, ...drawn }: PlotProps) {
  const host = usePlot(drawn)
  return (
    <div
      ref={host}
      className={styles.plot}
      data-dimmed={dimmed}
      // A slider over the points: plot/readout.ts sets its value to the point under the crosshair, in words.
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

/** Draws into the element of the ref returned, while it is there. */
function usePlot({
  period,
  chart,
  toggles,
  references,
  rangeReferences,
  swaps,
  onView,
  onDraw,
  ref,
}: Omit<PlotProps, 'label' | 'describedBy' | 'dimmed'>) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<PlotHandle>(null)
  const view = useMemo(
    () => ({ period, chart, toggles, references, rangeReferences, swaps }),
    [period, chart, toggles, references, rangeReferences, swaps],
  )
  const create = useEffectEvent((element: HTMLElement) => createPlot(element, view, { classes, onView, onDraw }))

  useEffect(() => {
    if (host.current === null) return
    const made = create(host.current)
    plot.current = made
    return () => {
      plot.current = null
      made.destroy()
    }
  }, [])

  // Before the browser paints: the chart appears in one frame with its period's figures.
  useLayoutEffect(() => plot.current?.show(view), [view])
  useImperativeHandle(
    ref,
    () => ({
      reset() {
        plot.current?.reset()
        // The pressed button goes away.
        host.current?.focus()
      },
      valueAxis: () => plot.current?.valueAxis() ?? null,
    }),
    [],
  )
  return host
}

/** The parts of a plot's handle that the screen around it uses. */
export type PlotControls = Pick<PlotHandle, 'reset' | 'valueAxis'>
