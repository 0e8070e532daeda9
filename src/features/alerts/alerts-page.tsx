import { Page } from '../../ui/page'
import { AlertLog } from './alert-log'
import { FullHistory } from './full-history'
import type { ChartLink } from './log-row'
import { NotificationsCard } from './notifications-card'

/** The specification's placeholder, and below it what this device knows and does about alerts by itself. */
export function AlertsPage({ chartLink }: { readonly chartLink: ChartLink }) {
  return (
    <Page title="Alerts History">
      <FullHistory />
      <NotificationsCard />
      <AlertLog chartLink={chartLink} />
    </Page>
  )
}
