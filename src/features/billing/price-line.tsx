import type { PlanPrice } from '../../contract/plan-price'
import { formatPlanPrice } from '../../domain/format-plan-price'
import { useOnline } from '../../ui/use-online'
import styles from './price-line.module.css'

/** The price as the server last said it, and when. */
export interface HeardPrice {
  readonly price: PlanPrice
  /** Milliseconds since 1970. */
  readonly at: number
}

const dayOf = (at: number) => new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })

/** The price of Premium and how often it is paid; without a network, the day on which the server said so. */
export function PriceLine({ heard: { price, at } }: { readonly heard: HeardPrice }) {
  const online = useOnline()
  const text = formatPlanPrice(price)
  if (text === null) return null
  return (
    <p className={styles.line}>
      <span className={styles.price}>{text}</span>
      <span className={styles.aside}>
        {online ? 'Renews until you cancel' : `The price on ${dayOf(at)}; checkout shows the one in force`}
      </span>
    </p>
  )
}
