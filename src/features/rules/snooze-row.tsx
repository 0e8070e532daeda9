import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import type { Snooze } from '../../domain/snooze'
import { snoozeChoices, snoozeSentence } from '../../domain/snooze-words'
import { useAlertHold } from '../../state/alert-hold'
import { nowAtom } from '../../state/live-data'
import { useAlertFeature } from '../../state/server-settings'
import { useSnooze } from '../../state/use-snooze'
import { useUpdateWidget } from '../../state/use-command'
import { HeldRow } from '../../ui/held-row'
import styles from './rules.module.css'

/** Stops all alerts of a pair for a while; absent where the server has no snoozes. */
export function SnoozeRow({ widget }: { readonly widget: WidgetView }) {
  const isOffered = useAlertFeature('snooze')
  const snooze = useSnooze(widget)
  const quietHours = useAlertHold()?.quietHours ?? null
  const now = useAtomValue(nowAtom)
  const update = useUpdateWidget(widget)
  if (!isOffered && snooze === null) return null
  const set = (change: Snooze | null) => void update({ snooze: change })
  const hasFired = [...widget.rules, ...widget.serverRules].some(({ armed }) => !armed)
  return (
    <div className={styles.snooze}>
      <HeldRow
        className={styles.facts}
        text={
          snooze === null
            ? 'A snooze holds the thresholds and alerts of this pair: what fires is listed under Alerts and not sent.'
            : `${snoozeSentence(snooze, now)}. What fires is listed under Alerts and not sent.`
        }
        label="Snooze"
        isHeld={snooze !== null}
        choices={snoozeChoices(quietHours, hasFired, now).map((choice) => ({
          label: choice.label,
          onChoose: () => set(choice.snooze),
        }))}
        onResume={() => set(null)}
      />
    </div>
  )
}
