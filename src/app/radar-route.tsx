import { RadarPage } from '../features/radar/radar-page'
import { useTitle } from './screen'

/** Radar, and below its address the sheet of one pair. */
export function RadarRoute() {
  useTitle('Radar')
  return <RadarPage />
}
