import { Page } from '../../ui/page'

/** All pairs of the coins that matter, the furthest from their average first. */
export function RadarPage() {
  return (
    <Page title="Radar" lead="Every pair of your coins and of the best by market cap, the most extreme first.">
      {null}
    </Page>
  )
}
