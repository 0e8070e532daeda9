import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { Check, ChevronDown, Gauge, RefreshCw, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { keepOperatorPanel } from '../../db/commands/keep-operator-panel'
import { readMeta } from '../../db/queries/meta'
import { accountAtom } from '../../state/account'
import { useServices } from '../../state/services'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { PasskeyNotice } from '../../ui/passkey-notice'
import { useOnline } from '../../ui/use-online'
import { concerns } from './concerns'
import { OperatorFigures } from './operator-figures'
import styles from './operator-panel.module.css'
import { standing } from './standing'
import { useOverview } from './use-overview'

/** What an operator wants to see at once, of the server and of this device; how it was left is remembered here. */
export function OperatorPanel() {
  const { db, now } = useServices().commands
  const open = useLiveQuery(async () => (await readMeta(db, 'operator_panel'))?.open ?? true, [db])
  const [asked, again] = useOverview()
  const online = useOnline()
  const account = useAtomValue(accountAtom)
  const bodyId = useId()
  const found = asked.kind === 'known' ? concerns(asked.value) : undefined
  // What is so by figures of an hour ago may not be so now.
  const isPresent = online && asked.kind === 'known' && asked.failure === null
  const toggle = () => void keepOperatorPanel(db, open !== true).catch(reportError)
  return (
    <section className={styles.panel} aria-label="Operations">
      <header className={styles.header}>
        <h2 className={styles.heading}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open === true}
            aria-controls={bodyId}
            onClick={toggle}
          >
            <Gauge aria-hidden="true" />
            Operations
            <ChevronDown aria-hidden="true" className={styles.chevron} />
          </button>
        </h2>
        <div role="status">{found !== undefined && isPresent && <Verdict count={found.length} />}</div>
        <p className={styles.standing}>{standing(asked, online, now())}</p>
        <IconButton label="Refresh figures" size="sm" aria-busy={isPending(asked)} onClick={again}>
          <RefreshCw aria-hidden="true" />
        </IconButton>
      </header>
      <div id={bodyId} hidden={open !== true}>
        {account?.user?.has_passkeys === false && <PasskeyNotice />}
        {found !== undefined && found.length > 0 && (
          <ul className={styles.concerns}>
            {found.map((sentence) => (
              <li key={sentence}>
                <TriangleAlert aria-hidden="true" />
                {sentence}
              </li>
            ))}
          </ul>
        )}
        {open === true && <OperatorFigures asked={asked} onRetry={again} />}
      </div>
    </section>
  )
}

const isPending = (asked: ReturnType<typeof useOverview>[0]) => asked.kind === 'waiting' || asked.pending

/** In a word, also while the panel is folded. */
function Verdict({ count }: { readonly count: number }) {
  if (count > 0) return <Badge tone="warn">{count} to look at</Badge>
  return (
    <Badge>
      <Check aria-hidden="true" />
      All well
    </Badge>
  )
}
