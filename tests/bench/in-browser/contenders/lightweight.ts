import {
  createChart,
  LineSeries,
  LineStyle,
  type LineData,
  type LineWidth,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { ChartReady } from '../../../../workers/api'
import { HEIGHT, LOOKS, WIDTH, type Contender, type LineLook } from '../contender'

const STYLES: Readonly<Record<LineLook['column'], LineStyle>> = {
  upper: LineStyle.Dotted,
  lower: LineStyle.Dashed,
  ema: LineStyle.LargeDashed,
  ratio: LineStyle.Solid,
}

/** It counts in seconds. */
const pointAt = (chart: ChartReady, { column }: LineLook, i: number): LineData<UTCTimestamp> => ({
  time: Math.round((chart.times[i] ?? NaN) / 1000) as UTCTimestamp,
  value: chart[column][i] ?? NaN,
})
const pointsOf = (chart: ChartReady, look: LineLook) => Array.from(chart.times, (_, i) => pointAt(chart, look, i))

export const lightweight: Contender = {
  open(host, first) {
    let count = first.times.length
    const chart = createChart(host, {
      width: WIDTH,
      height: HEIGHT,
      layout: { attributionLogo: false },
      // As it comes it would not show so many points at once.
      timeScale: { minBarSpacing: 0.001 },
    })
    const lines = LOOKS.map((look) => ({
      look,
      series: chart.addSeries(LineSeries, {
        color: look.color,
        // Whole pixels only.
        lineWidth: Math.ceil(look.width) as LineWidth,
        lineStyle: STYLES[look.column],
      }),
    }))
    const draw = (next: ChartReady) => {
      count = next.times.length
      for (const { look, series } of lines) series.setData(pointsOf(next, look))
      chart.timeScale().fitContent()
    }
    draw(first)
    return {
      show: draw,
      zoom(to) {
        const quarter = to === 'half' ? (count - 1) / 4 : 0
        chart.timeScale().setVisibleLogicalRange({ from: quarter, to: count - 1 - quarter })
      },
      movePoint(next) {
        for (const { look, series } of lines) series.update(pointAt(next, look, next.times.length - 1))
      },
      close: () => chart.remove(),
    }
  },
}
