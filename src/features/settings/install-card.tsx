import { useAtomValue } from 'jotai'
import { Download, Share } from 'lucide-react'
import { installOfferAtom } from '../../state/offers'
import { Button } from '../../ui/button'
import { PageCard } from '../../ui/page'
import styles from './settings-page.module.css'

/** How to get the app onto the home screen; absent where this browser cannot do it. */
export function InstallCard() {
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
            <Button icon={<Download aria-hidden="true" />} onClick={() => void offer.ask()}>
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
