import { useConfig } from '../../state/use-config'
import styles from './footer.module.css'
import { LegalLinks } from './legal-links'

/** Whose data it is, and the policies; part of every screen. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <Credit />
      <LegalLinks />
    </footer>
  )
}

function Credit() {
  const market = useConfig()?.market_data
  if (market === undefined) return null
  if (market.source === 'simulated') return <p>Prices are simulated: good for trying things out, not for trading.</p>
  const { text, url } = market.attribution
  if (url === null) return <p>{text}</p>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}
