import { Page } from '../../ui/page'
import { AlertLog } from './alert-log'
import { FullHistory } from './full-history'
import type { ChartLink } from './log-row'
import { NotificationsCard } from './notifications-card'

/**
 * Lists the crossings between the specification's heading and its "COMING SOON", which speaks of the only part that is
 * still to come.
 */
export function AlertsPage({ chartLink }: { readonly chartLink: ChartLink }) {
  return (
    <Page title="Alerts History">
      <NotificationsCard />
      <AlertLog chartLink={chartLink} />
      <FullHistory />
    </Page>
  )
}
