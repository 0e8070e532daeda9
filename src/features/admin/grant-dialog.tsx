import { useState } from 'react'
import type { AdminProfile } from '../../contract/admin'
import { DAY } from '../../domain/granularity'
import { daysProblem, DEFAULT_GRANT_DAYS, LONGEST_GRANT_DAYS, readDays } from '../../domain/subscription'
import { useServices } from '../../state/services'
import { useFreshSignIn } from '../../state/calls'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { FormDialog } from '../../ui/form-dialog'
import { formatDay } from '../../domain/local-time'
import { useForm } from '../../ui/form'
import { useHere } from '../../ui/browser-state'
import { refusalOf, useTellOperator } from './answer-states'
import styles from './grant-dialog.module.css'

interface GrantDialogProps {
  readonly user: Pick<AdminProfile, 'id' | 'email'>
  /** True if the user has a subscription that is paid for. */
  readonly paying: boolean
  /** The server has granted or refused, or nothing answered. */
  readonly onAsked: () => void
  readonly onClose: () => void
}

const FAILED = 'Failed to grant premium access.'
const USUAL_DAYS = [7, DEFAULT_GRANT_DAYS, 90, 365]

/** Asks for a number of days, and grants Premium for them. */
export function GrantDialog({ user, paying, onAsked, onClose }: GrantDialogProps) {
  const { now } = useServices().commands
  const [text, setText] = useState(String(DEFAULT_GRANT_DAYS))
  const days = readDays(text)
  const form = useGrantForm(user, onAsked, onClose)
  return (
    <FormDialog title="Grant premium" form={form} onClose={onClose}>
      <p className={styles.text}>
        <strong>{user.email}</strong> gets Premium at once, free of charge.
        {paying && ' Their own subscription goes on beside it, and is charged as before.'}
      </p>
      <Field
        label="Days"
        error={form.problems.days}
        hint={days === null ? '' : `Until ${formatDay(now() + days * DAY)}`}
      >
        {(control) => (
          <TextInput
            {...control}
            type="number"
            name="days"
            inputMode="numeric"
            min={1}
            max={LONGEST_GRANT_DAYS}
            step={1}
            autoComplete="off"
            readOnly={form.busy}
            data-autofocus
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className={styles.usual} role="group" aria-label="Usual lengths">
        {USUAL_DAYS.map((usual) => (
          <Button
            key={usual}
            size="sm"
            aria-pressed={days === usual}
            onClick={() => !form.busy && setText(String(usual))}
          >
            {usual} days
          </Button>
        ))}
      </div>
    </FormDialog>
  )
}

function useGrantForm(user: GrantDialogProps['user'], onAsked: () => void, onClose: () => void) {
  const { engine } = useServices()
  const tell = useTellOperator()
  const here = useHere()
  const withFreshSignIn = useFreshSignIn()
  return useForm(['days'], {
    check: (values) => ({ days: daysProblem(values.days) }),
    send: async (values) => {
      const grant = { id: user.id, duration_days: Number(values.days) }
      const reply = await withFreshSignIn(() => engine.call('grantPremium', grant))
      onAsked()
      if (!reply.ok) {
        const problem = refusalOf(FAILED, reply)
        if (!here.current) tell('error', problem)
        return { form: problem }
      }
      const until = formatDay(Date.parse(reply.value.current_period_end))
      tell('success', `${user.email} has Premium until ${until}.`)
      if (here.current) onClose()
      return null
    },
  })
}
