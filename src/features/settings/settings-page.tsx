import { useSyncExternalStore } from 'react'
import { useAtomValue, useSetAtom } from 'jotai'
import { Download, Share } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { installOfferAtom } from '../../state/services'
import { useDashboardChoice } from '../../state/use-dashboard-choice'
import { openDialogAtom } from '../../state/open-dialogs'
import { SOURCE_WORDS, useConfig } from '../../state/server-settings'
import { Button, LinkButton, linkClass } from '../../ui/button'
import { Facts } from '../../ui/facts'
import { Page, PageCard } from '../../ui/page'
import { Segmented } from '../../ui/segmented'
import { AccountCard } from './account-card'
import { DataCard, YourDataCard } from './data-cards'
import { DevicesCard } from './devices-card'
import { PasskeysCard } from './passkeys-card'
import { PlanCard } from './plan-card'
import { QuietHoursCard } from './quiet-hours-card'
import { SecurityEventsCard } from './security-events-card'
import styles from './settings-page.module.css'
import { chooseTheme, followTheme, readThemeChoice } from './theme-choice'
import { WaysCard } from './ways-card'

export const SettingsPage = () => (
  <Page title="Settings">
    <PlanCard />
    <QuietHoursCard />
    <AppearanceCard />
    <KeyboardCard />
    <InstallCard />
    <WaysCard />
    <DataCard />
    <YourDataCard />
    <DevicesCard />
    <SecurityEventsCard />
    <PasskeysCard />
    <AccountCard />
    <SupportCard />
    <LegalCard />
  </Page>
)

const OPTIONS = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function AppearanceCard() {
  const theme = useSyncExternalStore(followTheme, readThemeChoice)
  return (
    <PageCard title="Appearance">
      <div className={styles.row}>
        <p>Theme</p>
        <Segmented label="Theme" options={OPTIONS} value={theme} onChange={chooseTheme} />
      </div>
    </PageCard>
  )
}

const KEY_OPTIONS = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const

/** Switches the shortcuts of single keys off, which speech input and a shaking hand press by accident. */
function KeyboardCard() {
  const [{ keys }, choose] = useDashboardChoice()
  return (
    <PageCard title="Keyboard">
      <div className={styles.row}>
        <p>Single keys as shortcuts on the dashboard</p>
        <Segmented
          label="Single keys as shortcuts"
          options={KEY_OPTIONS}
          value={keys ? 'on' : 'off'}
          onChange={(next) => choose({ keys: next === 'on' })}
        />
      </div>
    </PageCard>
  )
}

/** Gets the app onto the home screen; absent where this browser cannot do that. */
function InstallCard() {
  const offer = useAtomValue(installOfferAtom)
  switch (offer.kind) {
    case 'unavailable':
      return null
    case 'installed':
      return (
        <PageCard title="App">
          <p className={styles.text}>Installed on this device. It opens without a network, too.</p>
        </PageCard>
      )
    case 'prompt':
      return (
        <PageCard title="App">
          <div className={styles.row}>
            <p className={styles.text}>Get an icon of its own and a window without browser bars.</p>
            <Button icon={Download} onClick={() => void offer.ask()}>
              Install app
            </Button>
          </div>
        </PageCard>
      )
    case 'share-sheet':
      return (
        <PageCard title="App">
          <p className={styles.text}>
            To install it, tap <Share aria-label="Share" className={styles.inlineIcon} /> in the browser’s bar, then
            “Add to Home Screen”. Alerts on iPhone and iPad need this first.
          </p>
        </PageCard>
      )
  }
}

/** The policies in force, each with its version where the page knows one. */
function LegalCard() {
  const policies = useAtomValue(accountAtom)?.policies
  const openDialog = useSetAtom(openDialogAtom)
  const entry = (policy: 'terms' | 'privacy', name: string) => {
    const version = policies?.[policy].version
    const value = (
      <>
        {version !== undefined && <span className={styles.aside}>Version {version}</span>}
        <LinkButton onClick={() => openDialog({ kind: 'policy', policy })} aria-label={`Read ${name}`}>
          Read
        </LinkButton>
      </>
    )
    return { name, value }
  }
  return (
    <PageCard title="Legal">
      <Facts facts={[entry('terms', 'Terms of Use'), entry('privacy', 'Privacy Policy')]} />
    </PageCard>
  )
}

/** The operator's address and the source of prices; absent until the server's settings have been loaded once. */
function SupportCard() {
  const config = useConfig()
  if (config === undefined) return null
  return (
    <PageCard title="Support & Help">
      <Facts
        facts={[
          {
            name: 'Email',
            value: (
              <a className={linkClass} href={`mailto:${config.support_email}`}>
                {config.support_email}
              </a>
            ),
          },
          { name: 'Market data', value: SOURCE_WORDS[config.market_data.source] },
        ]}
      />
    </PageCard>
  )
}
