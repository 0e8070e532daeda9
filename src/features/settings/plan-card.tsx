import { useAtomValue } from 'jotai'
import { boardAtom } from '../../state/live-data'
import { Badge } from '../../ui/badge'
import { Facts } from '../../ui/facts'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'

const waiting = <Skeleton width="2rem" height="1.25rem" />

/** What the tier of whoever uses the app allows. */
export function PlanCard() {
  const board = useAtomValue(boardAtom)
  return (
    <PageCard title="Subscription Plan">
      <Facts
        facts={[
          {
            name: 'Plan',
            value: <Badge tone="accent">{board?.account === 'premium' ? 'Premium' : 'Free Tier'}</Badge>,
          },
          {
            name: 'Pairs',
            value: board === undefined ? waiting : `${board.widgets.length} of ${board.limits.max_widgets}`,
          },
          { name: 'Checkpoints per pair', value: board?.limits.max_checkpoints_per_widget ?? waiting },
        ]}
      />
    </PageCard>
  )
}
