import uPlot from 'uplot'
import './bare-uplot.css'
import type { ChartReady } from '../../../../workers/api'
import { BAND_FILL, HEIGHT, LOOKS, WIDTH, windowsOf, type Contender } from '../contender'

const dataOf = ({ times, upper, lower, ema, ratio }: ChartReady): uPlot.AlignedData => [times, upper, lower, ema, ratio]

/** uPlot as it comes, with the same series and the band between two of them: what ours is measured against. */
export const bareUplot: Contender = {
  open(host, first) {
    let shown = first
    const u = new uPlot(
      {
        width: WIDTH,
        height: HEIGHT,
        ms: 1,
        legend: { show: false },
        series: [{}, ...LOOKS.map(({ color, width, dash }) => ({ stroke: color, width, dash }))],
        bands: [{ series: [1, 2], fill: BAND_FILL }],
      },
      dataOf(first),
      host,
    )
    const draw = (chart: ChartReady) => {
      shown = chart
      u.setData(dataOf(chart))
    }
    return {
      show: draw,
      zoom: (to) => u.setScale('x', windowsOf(shown)[to]),
      movePoint: draw,
      close: () => u.destroy(),
    }
  },
}
