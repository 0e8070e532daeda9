import { FlaskConical } from 'lucide-react'
import { useConfig } from '../../state/server-settings'
import { Badge } from '../../ui/badge'
import styles from './brand.module.css'

/** Mark and name; the mark is the icon's, drawn for any background. */
export const Brand = ({ short = false }: { readonly short?: boolean }) => (
  <span className={styles.brand}>
    <svg viewBox="0 0 512 512" className={styles.mark} aria-hidden="true">
      <g fill="none" strokeWidth="56" transform="rotate(-24 256 256)">
        <circle cx="180" cy="256" r="128" className={styles.base} />
        <circle cx="332" cy="256" r="128" className={styles.gap} />
        <circle cx="332" cy="256" r="128" className={styles.quote} />
        <path d="M 191 128.5 A 128 128 0 0 1 307 245" className={styles.gap} />
        <path d="M 180 128 A 128 128 0 0 1 308 256" className={styles.base} />
      </g>
    </svg>
    <span className={styles.name}>{short ? 'Ratios' : 'Crypto Ratio Tracker'}</span>
  </span>
)

/** Marks simulated prices, which no user may take for real ones. */
export function SourceBadge() {
  if (useConfig()?.market_data.source !== 'simulated') return null
  return (
    <Badge tone="warn">
      <FlaskConical aria-hidden="true" />
      Simulated prices
    </Badge>
  )
}
