import { createPlot } from '../../../../src/features/chart/plot/create-plot'
import type { PlotView } from '../../../../src/features/chart/plot/model'
import styles from '../../../../src/features/chart/plot/plot.module.css'
import type { ChartReady } from '../../../../workers/api'
import type { Contender } from '../contender'

const classes = { box: styles['readout'] ?? '', date: styles['date'] ?? '', row: styles['row'] ?? '' }
const toggles = { average: true, bands: true }

/** Wheel travel in pixels that halves what is visible (src/features/chart/plot/zoom.ts). */
const HALF = Math.log(2) / 0.0018

/** The app's own plot with its styles, its marks and everything that listens to the user. */
export const ours: Contender = {
  open(host, first, period) {
    host.className = styles['plot'] ?? ''
    const view = (chart: ChartReady): PlotView => ({ period, chart, toggles, references: [] })
    const plot = createPlot(host, view(first), { classes, onView: () => undefined })
    const draw = (chart: ChartReady) => plot.show(view(chart))
    const over = host.querySelector('.u-over')
    if (over === null) throw new Error('The plot has nothing to point at.')
    return {
      show: draw,
      // As a user does it: the whole way from the wheel to the picture.
      zoom(to) {
        const { left, width, top } = over.getBoundingClientRect()
        const deltaY = to === 'half' ? -HALF : HALF
        over.dispatchEvent(
          new WheelEvent('wheel', {
            deltaY,
            clientX: left + width / 2,
            clientY: top + 9,
            bubbles: true,
            cancelable: true,
          }),
        )
      },
      movePoint: draw,
      close: () => plot.destroy(),
    }
  },
}
