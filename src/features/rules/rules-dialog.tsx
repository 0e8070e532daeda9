import { useAtomValue } from 'jotai'
import { Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { addRule, changeRule, removeRule } from '../../db/commands/rules'
import { findWidget, type ServerRuleView, type WidgetView } from '../../db/view'
import { minutesWords, deliveryPlace } from '../../domain/alert-words'
import type { WidgetId } from '../../domain/ids'
import { formatDay } from '../../domain/local-time'
import { pairTitle } from '../../domain/pair'
import { sentenceCase } from '../../domain/sentence-case'
import { useStalePrices } from '../../state/stale-prices'
import type { SetupRule } from '../../domain/setup-file'
import { useExplainRemoval } from '../../state/explain-removal'
import { boardAtom } from '../../state/live-data'
import { canNotifyAtom, pushStateAtom } from '../../state/push'
import { useCommand, useHold } from '../../state/use-command'
import { usePushSwitch } from '../../state/use-push-switch'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import checkBox from '../../ui/check-box.module.css'
import { ruleSentence } from './rule-sentence'
import { RuleForm } from './rule-form'
import { SnoozeRow } from './snooze-row'
import styles from './rules.module.css'

interface RulesDialogProps {
  readonly widgetId: WidgetId
  readonly onClose: () => void
}

/** The alerts of one pair beside its thresholds. Closes when the pair goes or becomes inactive. */
export function RulesDialog({ widgetId, onClose }: RulesDialogProps) {
  useExplainRemoval(widgetId)
  const board = useAtomValue(boardAtom)
  const widget = board && findWidget(board, widgetId)
  const isOver = board !== undefined && widget?.isActive !== true
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
  return widget === undefined || isOver ? null : <RulesPanel widget={widget} onClose={onClose} />
}

function RulesPanel({ widget, onClose }: { readonly widget: WidgetView; readonly onClose: () => void }) {
  const { serverRules } = widget
  const title = pairTitle(widget)
  const [isAdding, setAdding] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const formId = useId()
  const acts = useRuleActs(widget)
  const isStale = useStalePrices(widget) !== null
  const push = useAtomValue(pushStateAtom)
  const save = async (body: SetupRule) => {
    if (await acts.add(body)) setAdding(false)
  }
  return (
    <Dialog
      title={`${title} - Alerts`}
      onClose={onClose}
      footer={
        isAdding ? (
          <>
            <Button onClick={() => setAdding(false)}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId}>
              Save alert
            </Button>
          </>
        ) : (
          <Button ref={add} variant="primary" icon={Plus} data-autofocus onClick={() => setAdding(true)}>
            Add alert
          </Button>
        )
      }
    >
      {isAdding ? (
        <RuleForm formId={formId} hasCheckpoint={widget.checkpoints.length > 0} onSave={(body) => void save(body)} />
      ) : serverRules.length === 0 ? (
        <p className={styles.empty}>
          No alerts beside the two thresholds. The server judges these, also while the app is closed.
        </p>
      ) : (
        <>
          <p className={styles.facts}>Tells you {deliveryPlace(push === undefined ? undefined : push === 'on')}</p>
          <ul className={styles.list}>
            {serverRules.map((rule) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                isStale={isStale}
                onArm={(armed) => acts.arm(rule, armed)}
                onRemove={() => {
                  acts.remove(rule)
                  add.current?.focus()
                }}
              />
            ))}
          </ul>
        </>
      )}
      {!isAdding && <SnoozeRow widget={widget} />}
    </Dialog>
  )
}

const LOUDNESS_WORDS = { buzz: null, quiet: 'without a sound', log: 'in the log only' } as const

/** Facts of a rule that are not as usual. */
const factsOf = (
  { armed, hold_minutes, repeat, expires_at, loudness, isPending }: ServerRuleView,
  isStale: boolean,
): string =>
  [
    armed && isStale && 'armed, not judged while a price is old',
    hold_minutes > 0 && `after ${minutesWords(hold_minutes)} beyond`,
    repeat === 'once' && 'once',
    expires_at !== null && `until ${formatDay(Date.parse(expires_at))}`,
    LOUDNESS_WORDS[loudness],
    isPending && 'not yet sent: it is judged once the server has it',
  ]
    .filter(Boolean)
    .join(', ')

interface RuleRowProps {
  readonly rule: ServerRuleView
  /** A price is too old to judge by. */
  readonly isStale: boolean
  readonly onArm: (armed: boolean) => void
  readonly onRemove: () => void
}

function RuleRow({ rule, isStale, onArm, onRemove }: RuleRowProps) {
  const id = useId()
  const facts = factsOf(rule, isStale)
  return (
    <li className={styles.row}>
      <div>
        <p id={id} className={styles.sentence}>
          {ruleSentence(rule)}
        </p>
        {facts !== '' && <p className={styles.facts}>{sentenceCase(facts)}</p>}
        {rule.note !== null && <p className={styles.facts}>{rule.note}</p>}
      </div>
      <label className={styles.armed}>
        <input
          type="checkbox"
          role="switch"
          aria-checked={rule.armed}
          aria-describedby={id}
          className={checkBox.box}
          checked={rule.armed}
          onChange={(event) => onArm(event.currentTarget.checked)}
        />
        Armed
      </label>
      <IconButton size="sm" label="Remove alert" aria-describedby={id} icon={X} onClick={onRemove} />
    </li>
  )
}

/** Stores what the user does to a pair's alerts; a toast tells of a refusal. */
function useRuleActs(widget: WidgetView) {
  const run = useCommand()
  const hold = useHold()
  const canNotify = useAtomValue(canNotifyAtom)
  const { press } = usePushSwitch()
  const of = (rule: ServerRuleView) => ({ widget: widget.id, rule: rule.id })
  return {
    /** To be called in the handler of the click itself: the browser may have to ask for permission. */
    add: async (body: SetupRule): Promise<boolean> => {
      if (canNotify && body.loudness !== 'log') void press('enable')
      return (await run((context) => addRule(context, widget.id, body))).ok
    },
    arm: (rule: ServerRuleView, armed: boolean): void =>
      void run((context) => changeRule(context, of(rule), { armed })),
    remove: (rule: ServerRuleView): void => {
      const said = `${ruleSentence(rule)}: alert of ${pairTitle(widget)} removed.`
      void run((context) => removeRule({ ...context, hold: hold(said) }, of(rule)))
    },
  }
}
