import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { readPushBook } from '../../db/push-book'
import { readAlerts } from '../../db/queries/alerts'
import { boardAtom, nowAtom } from '../../state/live-data'
import { pushStateAtom } from '../../state/push'
import { PUSH_WORDS } from '../../state/push-words'
import { useServices } from '../../state/services'
import { watchedPairsAtom } from '../../state/watched-pairs'
import { type Fact, Facts } from '../../ui/facts'
import { PageCard } from '../../ui/page'
import { updatedLine } from '../../ui/updated-line'

/** Whether alerts can reach this device, and when one last did. */
export function AlertsCard() {
  const { db } = useServices().commands
  const now = useAtomValue(nowAtom)
  const push = useAtomValue(pushStateAtom)
  const board = useAtomValue(boardAtom)
  const told = useLiveQuery(() => readPushBook(db), [db])?.told
  const alerts = useLiveQuery(() => readAlerts(db), [db])
  const last = alerts?.[0]

  const facts: Fact[] = [
    { name: 'Pairs with alerts', value: useAtomValue(watchedPairsAtom) ?? '–' },
    { name: 'Notifications on this device', value: push === undefined ? '–' : PUSH_WORDS[push] },
  ]
  if (push === 'on') {
    const known = told != null && told.owner === board?.owner
    facts.push({ name: 'Known to the server', value: known ? 'Yes' : 'Not yet' })
  }
  facts.push({
    name: 'Last alert',
    value:
      last === undefined ? (alerts === undefined ? '–' : 'None yet') : `${last.pair}, ${updatedLine(last.at, now)}`,
  })
  return (
    <PageCard title="Alerts">
      <Facts facts={facts} />
    </PageCard>
  )
}
