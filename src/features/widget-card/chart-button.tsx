import { ChartLine } from 'lucide-react'
import { Button } from '../../ui/button'
import styles from './chart-button.module.css'

/** Where the card is narrow only its picture is drawn; its name stays. */
export function ChartButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button size="sm" className={styles.button} icon={<ChartLine aria-hidden="true" />} onClick={onClick}>
      <span className={styles.text}>Open chart</span>
    </Button>
  )
}
