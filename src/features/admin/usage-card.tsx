import type { AdminProfile } from '../../contract/admin'
import { Facts } from '../../ui/facts'
import { PageCard } from '../../ui/page'

/** How much of the app somebody uses. */
export const UsageCard = ({ user }: { readonly user: AdminProfile }) => (
  <PageCard title="Usage">
    <Facts
      facts={[
        { name: 'Widgets', value: user.widgets },
        { name: 'Of these active', value: user.active_widgets },
        { name: 'Checkpoints', value: user.checkpoints },
        { name: 'Devices with notifications', value: user.push_subscriptions },
      ]}
    />
  </PageCard>
)
