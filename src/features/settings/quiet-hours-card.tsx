import { useAtomValue } from 'jotai'
import type { QuietHours } from '../../domain/quiet-hours'
import { pauseChoices, pauseSentence, quietHoursWords, WEEKDAYS } from '../../domain/quiet-hours-words'
import { useAlertHold, useHoldAlerts } from '../../state/alert-hold'
import { nowAtom } from '../../state/live-data'
import { Button } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import checkBox from '../../ui/check-box.module.css'
import { Field, TextInput } from '../../ui/field'
import fieldStyles from '../../ui/field.module.css'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { HeldRow } from '../../ui/held-row'
import { CardActions, PageCard } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import styles from './quiet-hours-card.module.css'
import settingsStyles from './settings-page.module.css'

/** When no alert is wanted; absent until the server has said what it has, and where it has no quiet hours. */
export function QuietHoursCard() {
  const held = useAlertHold()
  if (held === undefined) return null
  const { quietHours, pausedUntil } = held
  return (
    <PageCard title="Quiet hours">
      <p className={settingsStyles.text}>
        {quietHours === null
          ? 'None are set. What fires in quiet hours comes as one message at their end.'
          : `${quietHoursWords(quietHours)}. What fires in them comes as one message at their end.`}
      </p>
      {/* Another device may have changed them. Fields with times, open while none are set, look like times that are. */}
      <details key={JSON.stringify(quietHours)} open={quietHours !== null} className={styles.times}>
        <summary>{quietHours === null ? 'Choose hours' : 'Hours'}</summary>
        <QuietHoursForm saved={quietHours} />
      </details>
      <PauseRow until={pausedUntil} />
    </PageCard>
  )
}

const DAYS = ['day1', 'day2', 'day3', 'day4', 'day5', 'day6', 'day7'] as const
const FIELDS = ['from', 'to', 'time_zone', ...DAYS] as const
const NO_DAY = 'Choose at least one day.'

function QuietHoursForm({ saved }: { readonly saved: QuietHours | null }) {
  const { hold } = useHoldAlerts()
  const form = useForm(FIELDS, {
    check: ({ from, to, ...values }) => ({
      from: from === '' ? 'Enter a time.' : undefined,
      to: to === '' ? 'Enter a time.' : from === to ? 'Choose another time than the beginning.' : undefined,
      form: DAYS.every((day) => values[day] === '') ? NO_DAY : undefined,
    }),
    send: async ({ from, to, time_zone, ...values }) => {
      const days = DAYS.flatMap((day, index) => (values[day] === '' ? [] : [index + 1]))
      await hold({ quiet_hours: { from, to, days, time_zone } })
      return null
    },
  })
  const { problems } = form
  return (
    <form className={classNames(stack.gap4, styles.form)} aria-label="Quiet hours" {...form.events}>
      <Times saved={saved} problems={problems} />
      <Weekdays saved={saved} />
      {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
      <p className={settingsStyles.text}>
        They hold what this app sends. A phone’s own Do Not Disturb cannot be broken by it: while that is on, the phone
        shows nothing aloud.
      </p>
      <div className={settingsStyles.buttons}>
        <SubmitButton busy={form.busy}>{saved === null ? 'Set quiet hours' : 'Change quiet hours'}</SubmitButton>
        {saved !== null && <Button onClick={() => void hold({ quiet_hours: null })}>Remove quiet hours</Button>}
      </div>
    </form>
  )
}

interface SavedProps {
  readonly saved: QuietHours | null
}

interface TimesProps extends SavedProps {
  readonly problems: { readonly from?: string | undefined; readonly to?: string | undefined }
}

const Times = ({ saved, problems }: TimesProps) => (
  <div className={styles.fields}>
    <Field label="From" error={problems.from}>
      {(control) => <TextInput {...control} type="time" name="from" required defaultValue={saved?.from ?? '22:00'} />}
    </Field>
    <Field label="To" error={problems.to}>
      {(control) => <TextInput {...control} type="time" name="to" required defaultValue={saved?.to ?? '07:00'} />}
    </Field>
    <Field label="Time zone">
      {(control) => (
        <select {...control} name="time_zone" className={fieldStyles.input} defaultValue={zoneOf(saved)}>
          {zonesWith(zoneOf(saved)).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      )}
    </Field>
  </div>
)

const Weekdays = ({ saved }: SavedProps) => (
  <fieldset className={styles.days}>
    <legend>Beginning on</legend>
    {DAYS.map((name, index) => (
      <label key={name}>
        <input
          type="checkbox"
          name={name}
          className={checkBox.box}
          defaultChecked={saved?.days.includes(index + 1) ?? true}
        />
        {WEEKDAYS[index]}
      </label>
    ))}
  </fieldset>
)

const zoneOf = (saved: QuietHours | null): string =>
  saved?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** All that the browser knows, and the one that is set. */
const zonesWith = (zone: string): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].toSorted()

/** Stops all alerts for a while. @param until milliseconds; null: they are not stopped */
function PauseRow({ until }: { readonly until: number | null }) {
  const now = useAtomValue(nowAtom)
  const { hold } = useHoldAlerts()
  return (
    <CardActions className={settingsStyles.row}>
      <HeldRow
        className={settingsStyles.text}
        text={
          until === null
            ? 'In a pause alerts are listed under Alerts and never sent.'
            : `${pauseSentence(until, now)}. What fires is listed under Alerts.`
        }
        label="Pause all alerts"
        isHeld={until !== null}
        choices={pauseChoices(now).map(({ label, until: end }) => ({
          label,
          onChoose: () => void hold({ paused_until: end }),
        }))}
        onResume={() => void hold({ paused_until: null })}
      />
    </CardActions>
  )
}
