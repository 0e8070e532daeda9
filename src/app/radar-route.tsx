import type { CoinId } from '../domain/ids'
import { RadarPage } from '../features/radar/radar-page'
import { useTitle } from './screen'

/** History state of a pair's sheet that was opened from Radar: closing it goes back there. */
const FROM_RADAR = { from: 'radar' } as const

const pairLink = (coinA: CoinId, coinB: CoinId) => ({
  href: `/radar/${encodeURIComponent(coinA)}/${encodeURIComponent(coinB)}`,
  state: FROM_RADAR,
})

/** Radar, and below its address the sheet of one pair. */
export function RadarRoute() {
  useTitle('Radar')
  return <RadarPage pairLink={pairLink} />
}
