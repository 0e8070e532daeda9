import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { changeOwnerSyncState, readOwnerSyncState } from '../../db/owner-sync-state'
import type { WidgetView } from '../../db/view'
import { writeTransaction } from '../../db/write-transaction'
import { alertsSentence } from '../../domain/margin-words'
import { pairTitle } from '../../domain/pair'
import { closesByDay, proposedMargin } from '../../domain/proposed-margin'
import { PAST_DAYS } from '../../domain/threshold-past'
import { boardAtom } from '../../state/live-data'
import { useAlertFeature } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { loadCommands, useCommand } from '../../state/use-command'
import { isWatched } from '../../state/watched-pairs'
import { Button } from '../../ui/button'
import { CardActions, PageCard } from '../../ui/page'
import styles from './margin-card.module.css'

/** A pair whose alerts can repeat, and the margin that is proposed for it, or the reason that none is. */
interface Proposal {
  readonly widget: WidgetView
  readonly margin: number | null
  readonly words: string
}

/** Pairs whose thresholds are watched without margin and hold. */
const trembling = ({ margin, holdMinutes, rules }: WidgetView): boolean =>
  rules.length > 0 && margin === 0 && holdMinutes === 0

const tremblingAtom = atom((get) => get(boardAtom)?.widgets.filter((widget) => isWatched(widget) && trembling(widget)))
const ownerAtom = atom((get) => get(boardAtom)?.owner)

/** Asks once on this device whether thresholds of before there were margins get one; nothing where there is none to ask about. */
export function MarginCard() {
  const { commands } = useServices()
  const isOffered = useAlertFeature('margin')
  const owner = useAtomValue(ownerAtom)
  const widgets = useAtomValue(tremblingAtom)
  const isAnswered = useLiveQuery(
    async () => owner !== undefined && (await readOwnerSyncState(commands.db, owner)).margins_answered === true,
    [commands.db, owner],
  )
  if (!isOffered || isAnswered !== false || widgets === undefined || widgets.length === 0) return null
  return <Question widgets={widgets} />
}

function Question({ widgets }: { readonly widgets: readonly WidgetView[] }) {
  const proposals = useProposals(widgets)
  const { keep, take } = useAnswer(proposals ?? [])
  // Without the past of any pair there is nothing to choose from: the question waits until this device knows one.
  if (proposals?.some(({ margin }) => margin !== null) !== true) return null
  return (
    <PageCard title="Margins">
      <p className={styles.lead}>Alerts can repeat when a ratio trembles around its threshold.</p>
      <Rows proposals={proposals.slice(0, SHOWN)} />
      {proposals.length > SHOWN && (
        <details className={styles.more}>
          <summary>{`Show ${proposals.length - SHOWN} more`}</summary>
          <Rows proposals={proposals.slice(SHOWN)} />
        </details>
      )}
      <p className={styles.note}>
        With a margin, an alert that has fired is armed again once the ratio has come back by that much. Each pair’s
        stands in the dialog of its thresholds, under More.
      </p>
      <CardActions className={styles.actions}>
        <Button onClick={() => void keep()}>Keep as it is</Button>
        <Button variant="primary" onClick={() => void take()}>
          Use these margins
        </Button>
      </CardActions>
    </PageCard>
  )
}

/** So many pairs are listed at once, and leave the log in sight. */
const SHOWN = 5

const Rows = ({ proposals }: { readonly proposals: readonly Proposal[] }) => (
  <ul className={styles.rows}>
    {proposals.map(({ widget, words }) => (
      <li key={widget.key}>
        <span className={styles.pair}>{pairTitle(widget)}</span>
        {`: ${words}`}
      </li>
    ))}
  </ul>
)

const NOT_KNOWN = 'its past is not known on this device, so it stays as it is.'
const NOT_PROPOSED = 'too little of its past is known for a margin, so it stays as it is.'

/** Of what is stored on this device; null: not read yet. */
function useProposals(widgets: readonly WidgetView[]): readonly Proposal[] | null {
  const { commands, worker } = useServices()
  const { now } = commands
  const [found, setFound] = useState<readonly Proposal[] | null>(null)
  useEffect(() => {
    let isOver = false
    const read = async () => {
      const proposals: Proposal[] = []
      for (const widget of widgets) {
        const { coinA, coinB } = widget
        const past = await worker().ratioHistory({ coinA: coinA.id, coinB: coinB.id }, PAST_DAYS, now())
        const margin = past && proposedMargin(closesByDay(past))
        const sentence = margin && alertsSentence(past, widget.rules, { margin, holdMinutes: 0 })
        proposals.push(
          margin && sentence
            ? { widget, margin, words: lowerFirst(sentence) }
            : { widget, margin: null, words: past === null ? NOT_KNOWN : NOT_PROPOSED },
        )
      }
      if (!isOver) setFound(proposals)
    }
    read().catch((error: unknown) => reportError(error))
    return () => {
      isOver = true
    }
  }, [widgets, worker, now])
  return found
}

const lowerFirst = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

/** Stores the answer, which ends the question; margins that were taken can be undone. */
function useAnswer(proposals: readonly Proposal[]) {
  const run = useCommand()
  const showToast = useSetAtom(showToastAtom)
  const owner = useAtomValue(ownerAtom)

  const setAll = (margins: readonly { readonly widget: WidgetView; readonly margin: number }[], isAnswer: boolean) =>
    run(async (context) => {
      const { updateWidget } = await loadCommands()
      for (const { widget, margin } of margins) {
        const result = await updateWidget(context, widget.id, { margin })
        if (!result.ok) return result
      }
      const { db } = context
      if (isAnswer && owner !== undefined) {
        await writeTransaction(db, [db.owners], () => changeOwnerSyncState(db, owner, { margins_answered: true }))
      }
      return { ok: true, value: undefined }
    })

  return {
    keep: () => setAll([], true),
    take: async () => {
      const margins = proposals.flatMap(({ widget, margin }) => (margin === null ? [] : [{ widget, margin }]))
      if (!(await setAll(margins, true)).ok) return
      const count = margins.length === 1 ? '1 pair has' : `${margins.length} pairs have`
      showToast({
        kind: 'success',
        message: `${count} a margin now.`,
        action: {
          label: 'Undo',
          run: () =>
            void setAll(
              margins.map(({ widget }) => ({ widget, margin: 0 })),
              false,
            ),
        },
      })
    },
  }
}
