import { useConfig } from '../../state/use-config'
import { Facts } from '../../ui/facts'
import { Page, PageCard } from '../../ui/page'
import { AppearanceCard } from './appearance-card'
import { DataCard } from './data-card'
import { InstallCard } from './install-card'
import { PlanCard } from './plan-card'

const SOURCES = { coingecko: 'CoinGecko', simulated: 'Simulated prices' } as const

export function SettingsPage() {
  const config = useConfig()
  return (
    <Page title="Settings">
      <PlanCard />
      <AppearanceCard />
      <InstallCard />
      <DataCard />
      {config !== undefined && (
        <PageCard title="Support & Help">
          <Facts
            facts={[
              { name: 'E-mail', value: <a href={`mailto:${config.support_email}`}>{config.support_email}</a> },
              { name: 'Market data', value: SOURCES[config.market_data.source] },
            ]}
          />
        </PageCard>
      )}
    </Page>
  )
}
