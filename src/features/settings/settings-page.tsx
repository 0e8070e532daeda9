import { Page } from '../../ui/page'
import { AccountCard } from './account-card'
import { AppearanceCard } from './appearance-card'
import { DataCard } from './data-card'
import { DevicesCard } from './devices-card'
import { InstallCard } from './install-card'
import { KeyboardCard } from './keyboard-card'
import { LegalCard } from './legal-card'
import { PasskeysCard } from './passkeys-card'
import { PlanCard } from './plan-card'
import { SupportCard } from './support-card'
import { YourDataCard } from './your-data-card'

export function SettingsPage() {
  return (
    <Page title="Settings">
      <PlanCard />
      <AppearanceCard />
      <KeyboardCard />
      <InstallCard />
      <DataCard />
      <YourDataCard />
      <DevicesCard />
      <PasskeysCard />
      <AccountCard />
      <SupportCard />
      <LegalCard />
    </Page>
  )
}
