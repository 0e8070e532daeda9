import { LineChart } from 'echarts/charts'
import { DatasetComponent, DataZoomComponent, GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { ChartReady } from '../../../../workers/api'
import { HEIGHT, LOOKS, WIDTH, windowsOf, type Contender } from '../contender'

use([CanvasRenderer, DatasetComponent, DataZoomComponent, GridComponent, LineChart])

const sourceOf = ({ times, upper, lower, ema, ratio }: ChartReady) => ({ source: { times, upper, lower, ema, ratio } })

/** Without animation, symbols and pointer; its columns are ours, so that nothing is copied into pairs. */
export const eCharts: Contender = {
  open(host, first) {
    let shown = first
    const chart = init(host, null, { width: WIDTH, height: HEIGHT, renderer: 'canvas' })
    chart.setOption({
      animation: false,
      dataset: sourceOf(first),
      grid: { left: 8, right: 60, top: 12, bottom: 28 },
      xAxis: { type: 'time' },
      yAxis: { type: 'value', scale: true, position: 'right' },
      dataZoom: [{ type: 'inside', filterMode: 'filter', throttle: 0 }],
      series: LOOKS.map(({ column, color, width, dash }) => ({
        type: 'line',
        encode: { x: 'times', y: column },
        showSymbol: false,
        silent: true,
        lineStyle: { color, width, type: dash.length === 0 ? 'solid' : dash },
      })),
    })
    const draw = (next: ChartReady) => {
      shown = next
      chart.setOption({ dataset: sourceOf(next) })
    }
    return {
      show: draw,
      zoom(to) {
        const { min, max } = windowsOf(shown)[to]
        chart.dispatchAction({ type: 'dataZoom', startValue: min, endValue: max })
      },
      movePoint: draw,
      close: () => chart.dispose(),
    }
  },
}
