import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import type { LocalDatabase } from '../../db/database'
import { readMeta } from '../../db/queries/meta'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { Dialog } from '../../ui/dialog'
import { offerOf } from './offer'
import { OfferActions } from './offer-actions'
import { OfferNote } from './offer-note'
import { PriceLine } from './price-line'
import { AdvancedFeatures, TierTable } from './tier-table'
import styles from './upgrade-dialog.module.css'

/** What Premium is, and the way to it that this person has on this server. */
export function UpgradeDialog({ onClose }: { readonly onClose: () => void }) {
  const { db } = useServices().commands
  const account = useAtomValue(accountAtom)?.account
  const server = useLiveQuery(() => readServer(db), [db])
  // It opens complete: what came later would move it, and take the focus along.
  if (server === undefined) return null
  const offer = offerOf(account, server.billing)
  const isForSale = offer.kind === 'checkout' || offer.kind === 'account-first'
  return (
    <Dialog title="Upgrade to Premium" onClose={onClose} footer={<OfferActions offer={offer} onClose={onClose} />}>
      <div className={styles.content}>
        {isForSale && server.heard !== undefined && <PriceLine heard={server.heard} />}
        {server.limits !== undefined && <TierTable limits={server.limits} />}
        {server.limits !== undefined && <AdvancedFeatures limits={server.limits.premium} />}
        <OfferNote offer={offer} />
      </div>
    </Dialog>
  )
}

/** What this server allows and sells, as far as it has been heard of. */
async function readServer(db: LocalDatabase) {
  const [limits, config] = await Promise.all([readMeta(db, 'tier_limits'), readMeta(db, 'config')])
  const billing = config?.config.billing
  const heard = config && billing?.price && { price: billing.price, at: config.fetched_at }
  return { limits: limits?.limits, billing, heard }
}
