import {
  Chart,
  Decimation,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  TimeScale,
  type ChartDataset,
  type Point,
} from 'chart.js'
import 'chartjs-adapter-date-fns'
import type { ChartReady } from '../../../../workers/api'
import { HEIGHT, LOOKS, WIDTH, windowsOf, type Contender, type LineLook } from '../contender'

Chart.register(Decimation, LinearScale, LineController, LineElement, PointElement, TimeScale)

const pointsOf = (chart: ChartReady, { column }: LineLook): Point[] =>
  Array.from(chart.times, (x, i) => ({ x, y: chart[column][i] ?? NaN }))

/** Tuned as its documentation advises: no animation, nothing parsed, no points, decimation where it applies. */
export const chartJs: Contender = {
  open(host, first) {
    let shown = first
    // Decimation puts its own array in place of a dataset's.
    let points = LOOKS.map((look) => pointsOf(first, look))
    const canvas = document.createElement('canvas')
    canvas.width = WIDTH
    canvas.height = HEIGHT
    host.append(canvas)
    const chart = new Chart(canvas, {
      type: 'line',
      data: {
        datasets: LOOKS.map((look, i): ChartDataset<'line', Point[]> => ({
          data: points[i] ?? [],
          borderColor: look.color,
          borderWidth: look.width,
          borderDash: look.dash,
          pointRadius: 0,
        })),
      },
      options: {
        responsive: false,
        animation: false,
        parsing: false,
        normalized: true,
        scales: { x: { type: 'time', ticks: { maxRotation: 0 } }, y: { position: 'right' } },
        plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
      },
    })
    const draw = () => {
      chart.data.datasets.forEach((dataset, i) => {
        dataset.data = points[i] ?? []
      })
      chart.update('none')
    }
    return {
      show(next) {
        shown = next
        points = LOOKS.map((look) => pointsOf(next, look))
        draw()
      },
      zoom(to) {
        Object.assign(chart.options.scales?.['x'] ?? {}, windowsOf(shown)[to])
        chart.update('none')
      },
      movePoint(next) {
        shown = next
        const last = next.times.length - 1
        LOOKS.forEach(({ column }, i) => {
          points[i]?.splice(last, 1, { x: next.times[last] ?? NaN, y: next[column][last] ?? NaN })
        })
        draw()
      },
      close: () => chart.destroy(),
    }
  },
}
