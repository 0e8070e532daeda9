import { Waiting } from '../../ui/waiting'
import { ChartFrame } from './chart-frame'

/** Before it is known what is to be shown, or before the chart's code has come. */
export const ChartWaiting = ({ onClose }: { readonly onClose: () => void }) => (
  <ChartFrame heading="Historical Ratio" onClose={onClose}>
    <Waiting>Loading historical data for chart...</Waiting>
  </ChartFrame>
)
