import { Route, Switch } from 'wouter'
import type { CoinId } from '../domain/ids'
import { RadarPage } from '../features/radar/radar-page'
import { lateComponent } from '../ui/late-component'
import { FROM_RADAR, PAIR_SHEET, sheetAddress } from './addresses'
import { useTitle } from './screen'

// The list does without the code of charts.
const LazyPairSheetRoute = lateComponent(async () => (await import('./pair-sheet-route')).PairSheetRoute, {
  onFailure: 'throw',
})

const pairLink = (coinA: CoinId, coinB: CoinId) => ({ href: sheetAddress(coinA, coinB), state: FROM_RADAR })

/** Radar, and below its address the sheet of one pair. */
export const RadarRoute = () => (
  <Switch>
    <Route path={PAIR_SHEET}>
      <LazyPairSheetRoute />
    </Route>
    <Route>
      <RadarScreen />
    </Route>
  </Switch>
)

function RadarScreen() {
  useTitle('Radar')
  return <RadarPage pairLink={pairLink} />
}
