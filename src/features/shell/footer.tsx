import { useConfig } from '../../state/use-config'
import styles from './footer.module.css'

/** Whose data it is; part of every screen that shows data. */
export function Footer() {
  const attribution = useConfig()?.market_data.attribution
  return (
    <footer className={styles.footer}>
      {attribution !== undefined &&
        (attribution.url === null ? (
          <p>{attribution.text}</p>
        ) : (
          <a href={attribution.url} target="_blank" rel="noreferrer">
            {attribution.text}
          </a>
        ))}
    </footer>
  )
}
