import { CircleAlert, CircleCheck, Info, LoaderCircle, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Button, type ButtonProps, linkClass } from './button'
import { classNames } from './class-names'
import styles from './form.module.css'

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert } as const

interface FormNoteProps {
  readonly tone: keyof typeof ICONS
  /** True if a toast has announced the message already. */
  readonly isAnnounced?: boolean
  readonly children: ReactNode
}

/** Message about a form as a whole; screen readers read an error at once, the rest politely. */
export function FormNote({ tone, isAnnounced = false, children }: FormNoteProps) {
  const Icon = ICONS[tone]
  const role = tone === 'error' ? 'alert' : 'status'
  return (
    <div role={isAnnounced ? undefined : role} className={classNames(styles.note, styles[tone])}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>{children}</div>
    </div>
  )
}

interface SideNoteProps extends ComponentProps<'div'> {
  readonly icon: LucideIcon
}

/** A sign, and beside it a text of several lines. */
export const SideNote = ({ icon: Icon, className, children, ...div }: SideNoteProps) => (
  <div {...div} className={classNames(styles.sideNote, className)}>
    <Icon aria-hidden="true" className={styles.icon} />
    {children}
  </div>
)

/** Urges a superuser who has no passkey to add one. */
export const PasskeyNotice = () => (
  <FormNote tone="info">
    <p>
      You can see and change every account, and a password alone protects yours.{' '}
      <Link href="/settings" className={linkClass}>
        Add a passkey in Settings
      </Link>
      .
    </p>
  </FormNote>
)

interface BusyButtonProps extends ButtonProps {
  /** True while the button's request is under way. */
  readonly busy: boolean
}

/** Busy while its request is under way: it cannot be used, and keeps the focus that a disabled button loses. */
export function BusyButton({ busy, icon, ...rest }: BusyButtonProps) {
  return <Button {...rest} {...(busy && { 'aria-disabled': true, 'aria-busy': true })} icon={busy ? Spinner : icon} />
}

const Spinner = () => <LoaderCircle aria-hidden="true" className={styles.spinner} />

/** Sends its form. */
export function SubmitButton({ className, variant = 'primary', ...rest }: Omit<BusyButtonProps, 'type' | 'icon'>) {
  return <BusyButton {...rest} type="submit" variant={variant} className={classNames(styles.submit, className)} />
}

/** Faults by the names of the form's fields; `form` is a fault of no single field. */
export type Problems<Field extends string> = Readonly<Partial<Record<Field | 'form', string | undefined>>>

type FormState<Field extends string> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'submitting' }
  | { readonly kind: 'refused'; readonly problems: Problems<Field> }

interface FormRules<Field extends string> {
  /** Faults that the page finds without asking the server. */
  readonly check?: (values: Readonly<Record<Field, string>>) => Problems<Field>
  /** Sends the values; null: done, the next step included. Must not reject. */
  readonly send: (values: Readonly<Record<Field, string>>) => Promise<Problems<Field> | null>
}

export interface Form<Field extends string> {
  readonly busy: boolean
  readonly problems: Problems<Field>
  /** Shows faults that something else than sending has found. */
  readonly refuse: (form: HTMLFormElement, found: Problems<Field>) => void
  /** For the `<form>`; its fields are named like `Field`. */
  readonly events: {
    readonly noValidate: true
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
    readonly onInput: (event: FormEvent<HTMLFormElement>) => void
  }
}

/**
 * A form of the platform: its fields keep what the user types, so that password managers see it. Submitted once at a time;
 * the first wrong field gets the focus, and a field's problem goes when the user changes the field.
 */
export function useForm<Field extends string>(fields: readonly Field[], rules: FormRules<Field>): Form<Field> {
  const [state, setState] = useState<FormState<Field>>({ kind: 'idle' })
  const problems = state.kind === 'refused' ? state.problems : ({} as Problems<Field>)

  const refuse = (form: HTMLFormElement, found: Problems<Field>) => {
    setState({ kind: 'refused', problems: found })
    const wrong = fields.find((field) => found[field] !== undefined)
    const element = wrong === undefined ? null : form.elements.namedItem(wrong)
    if (element instanceof HTMLElement) element.focus()
  }

  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const values = Object.fromEntries(fields.map((field) => [field, text(data.get(field))])) as Record<Field, string>
    const wrong = rules.check?.(values)
    if (wrong !== undefined && Object.values(wrong).some((problem) => problem !== undefined)) return refuse(form, wrong)
    setState({ kind: 'submitting' })
    const refused = await rules.send(values)
    if (refused === null) setState({ kind: 'idle' })
    else refuse(form, refused)
  }

  return {
    busy: state.kind === 'submitting',
    problems,
    refuse,
    events: {
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        if (state.kind !== 'submitting') void submit(event.currentTarget)
      },
      onInput: ({ target }) => {
        const name = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.name : ''
        if (name in problems) setState({ kind: 'refused', problems: { ...problems, [name]: undefined } })
      },
    },
  }
}

const text = (value: FormDataEntryValue | null) => (typeof value === 'string' ? value : '')
