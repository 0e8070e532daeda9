import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Limits, TierLimits } from '../../domain/tier-limits'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './tier-table.module.css'

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

/** What each tier allows, side by side. */
export function TierTable({ limits: { free, premium } }: { readonly limits: TierLimits }) {
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
export function AdvancedFeatures({ limits }: { readonly limits: Limits }) {
  return (
    <p className={styles.advanced}>
      <strong>Advanced features:</strong> save up to {limits.max_checkpoints_per_widget} ratios of a pair as
      checkpoints, sort them, and choose the one that the pair is compared with.
    </p>
  )
}
