import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlanPrice } from '../../contract/billing'
import { type LocalDatabase, readMeta } from '../../db/database'
import { formatPlanPrice } from '../../domain/subscription'
import type { Limits, TierLimits } from '../../domain/tier-limits'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/browser-state'
import { Dialog } from '../../ui/dialog'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { OfferActions, OfferNote, offerOf } from './offer'
import styles from './upgrade-dialog.module.css'

/** Premium's price and limits, and this user's offer on this server. */
export function UpgradeDialog({ onClose }: { readonly onClose: () => void }) {
  const { db } = useServices().commands
  const account = useAtomValue(accountAtom)?.account
  const server = useLiveQuery(() => readServer(db), [db])
  // The dialog opens complete: later parts would move it, and the focus.
  if (server === undefined) return null
  const offer = offerOf(account, server.billing)
  const isForSale = offer.kind === 'checkout' || offer.kind === 'account-first'
  return (
    <Dialog title="Upgrade to Premium" onClose={onClose} footer={<OfferActions offer={offer} onClose={onClose} />}>
      <div className={stack.gap5}>
        {isForSale && server.heard !== undefined && <PriceLine heard={server.heard} />}
        {server.limits !== undefined && <TierTable limits={server.limits} />}
        {server.limits !== undefined && <AdvancedFeatures limits={server.limits.premium} />}
        <OfferNote offer={offer} />
      </div>
    </Dialog>
  )
}

/** Limits and prices of this server, as far as they have been loaded. */
async function readServer(db: LocalDatabase) {
  const [limits, config] = await Promise.all([readMeta(db, 'tier_limits'), readMeta(db, 'config')])
  const billing = config?.config.billing
  const heard = config && billing?.price && { price: billing.price, at: config.fetched_at }
  return { limits: limits?.limits, billing, heard }
}

/** The price that the server last sent. */
interface HeardPrice {
  readonly price: PlanPrice
  /** Milliseconds since 1970. */
  readonly at: number
}

const dayOf = (at: number) => new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })

/** The price of Premium and how often it is paid; without a network, with the day on which the server sent the price. */
function PriceLine({ heard: { price, at } }: { readonly heard: HeardPrice }) {
  const online = useOnline()
  const amount = formatPlanPrice(price)
  if (amount === null) return null
  return (
    <p className={styles.line}>
      <span className={styles.price}>{amount}</span>
      <span className={text.muted}>
        {online ? 'Renews until you cancel' : `The price on ${dayOf(at)}; checkout shows the one in force`}
      </span>
    </p>
  )
}

const yes = (
  <>
    <Check aria-hidden="true" className={styles.yes} />
    <VisuallyHidden>Yes</VisuallyHidden>
  </>
)
const no = (
  <>
    <Minus aria-hidden="true" className={styles.no} />
    <VisuallyHidden>No</VisuallyHidden>
  </>
)

/** Limits of the tiers, side by side. */
function TierTable({ limits: { free, premium } }: { readonly limits: TierLimits }) {
  const rows: readonly (readonly [name: string, free: ReactNode, premium: ReactNode])[] = [
    ['Total widgets', free.max_widgets, premium.max_widgets],
    ['Checkpoints per widget', free.max_checkpoints_per_widget, premium.max_checkpoints_per_widget],
    ['Manage lists of checkpoints', no, yes],
    ['Real-time alerts', yes, yes],
  ]
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>What you get</VisuallyHidden>
          </th>
          <th scope="col">Free</th>
          <th scope="col" className={styles.premium}>
            Premium
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, inFree, inPremium]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{inFree}</td>
            <td className={styles.premium}>{inPremium}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Names the advanced features of the banner: all that Premium has beyond larger numbers. */
const AdvancedFeatures = ({ limits }: { readonly limits: Limits }) => (
  <p className={styles.advanced}>
    <strong>Advanced features:</strong> save up to {limits.max_checkpoints_per_widget} ratios of a pair as checkpoints,
    sort them, and choose the one that the pair is compared with.
  </p>
)
