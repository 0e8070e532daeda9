import { useAtomValue } from 'jotai'
import { type ComponentProps, type FormEvent, useEffect, useState } from 'react'
import type { NewAccount } from '../../db/sign-in-rows'
import { accountAtom } from '../../state/account'
import type { AuthView } from '../../state/open-dialogs'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { supportsPasskeys } from '../../state/sign-in-methods'
import { buttonClass } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { FormNote, SubmitButton } from '../../ui/form'
import { ConfirmationField, PasswordField } from '../../ui/password-input'
import stack from '../../ui/stack.module.css'
import { Registered, RegisteredAlready, Unverified } from './account-results'
import styles from './auth-form.module.css'
import { EmailField } from './auth-fields'
import { leadOn, useFocusOnChange } from './field-focus'
import { ViewLink } from './form-result'
import { GoogleSignIn } from './google-sign-in'
import { GoogleSentence, GuestPairsBox, PoliciesSentence } from './new-account'
import { PasskeySignIn, type PasskeySignInProps } from './passkey-sign-in'
import { SecondFactor } from './second-factor'
import { type AccountMode, useAccountForm } from './use-account-form'

interface AccountFormProps {
  readonly view: Extract<AuthView, { readonly view: AccountMode }>
  /** Called once the user has logged in. */
  readonly onDone: () => void
}

/**
 * Logs in or makes an account, by email and password, by a passkey or at Google. It begins as either, and keeps what was
 * typed when it becomes the other.
 */
export function AccountForm({ view, onDone }: AccountFormProps) {
  const mode = view.view
  const [brings, setBrings] = useState(true)
  const policies = usePolicies()
  const accepted = policies && { terms: policies.terms.version, privacy: policies.privacy.version }
  const account = { accepted, brings }
  const { stage, busy, problems, events, refuseEmail, back, forget } = useAccountForm(mode, account, onDone)
  const form = useFocusOnChange(mode, stage.kind)

  if (stage.kind === 'registered') return <Registered {...stage} />
  if (stage.kind === 'unverified') return <Unverified email={stage.email} onBack={() => back()} />
  if (stage.kind === 'second-factor') {
    return <SecondFactor challenge={stage.challenge} onDone={onDone} onBack={back} />
  }
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    events.onInput(event)
    if (event.target instanceof HTMLInputElement && event.target.name === 'email') forget()
  }
  const isNew = mode === 'register'
  const all = { ...events, onInput, onKeyDown: leadOn, 'aria-label': isNew ? 'Register' : 'Log in' }
  const isUnknown = !isNew && stage.finding === 'unknown'
  return (
    <div className={stack.gap5}>
      <form {...all} ref={form} className={stack.gap4}>
        {isNew && stage.finding === 'taken' && <RegisteredAlready />}
        <AccountNote view={view} failure={problems.form ?? stage.problem} />
        <EmailField
          autoComplete="username"
          enterKeyHint="next"
          defaultValue={stage.email}
          error={problems.email}
          readOnly={busy}
        />
        <Password isNew={isNew} error={problems.password} readOnly={busy} />
        {isNew && (
          <>
            <ConfirmationField error={problems.confirmation} readOnly={busy} />
            <GuestPairsBox checked={brings} onCheck={setBrings} />
            <PoliciesSentence versions={accepted} />
          </>
        )}
        <SubmitButton busy={busy} className={styles.wide}>
          {isNew ? 'Register' : 'Log In'}
        </SubmitButton>
        {isUnknown && <CreateInstead />}
      </form>
      <OtherWays form={form} mode={mode} account={account} onWrongEmail={refuseEmail} onDone={onDone} />
      {!isUnknown && <OtherMode key={mode} mode={mode} />}
    </div>
  )
}

interface OtherWaysProps extends Pick<PasskeySignInProps, 'form' | 'onWrongEmail' | 'onDone'> {
  readonly mode: AccountMode
  readonly account: NewAccount
}

/** Ways in without a password. */
function OtherWays({ mode, account, ...passkey }: OtherWaysProps) {
  const isNew = mode === 'register'
  const hasGoogle = useConfig()?.google != null
  return (
    <>
      {(hasGoogle || supportsPasskeys()) && <p className={styles.or}>or</p>}
      <PasskeySignIn key={mode} {...passkey} account={isNew ? account : undefined} />
      <GoogleSignIn account={isNew || account.accepted !== null ? account : undefined} />
      {!isNew && <GoogleSentence versions={account.accepted} />}
    </>
  )
}

/** After the field the way out for who has forgotten, so that Tab leads from the address to the password without a stop. */
const Password = (field: ComponentProps<typeof PasswordField>) => (
  <div className={styles.withLink}>
    <PasswordField {...field} />
    {!field.isNew && (
      <span className={styles.besideLabel}>
        <ViewLink to="forgotPassword">Forgot password?</ViewLink>
      </span>
    )}
  </div>
)

/** Null until they have been loaded once. */
function usePolicies() {
  const { engine } = useServices()
  const account = useAtomValue(accountAtom)
  const isMissing = account?.policies === null
  useEffect(() => {
    if (isMissing) void engine.call('currentPolicies', {})
  }, [engine, isMissing])
  return account?.policies ?? null
}

interface AccountNoteProps {
  readonly view: AccountFormProps['view']
  /** Why this form was refused. */
  readonly failure: string | undefined
}

/** The most pressing of the sentences above the form. */
function AccountNote({ view, failure }: AccountNoteProps) {
  if (failure !== undefined) return <FormNote tone="error">{failure}</FormNote>
  if (view.view !== 'login') return null
  if (view.problem !== undefined) {
    return (
      <FormNote tone="error" isAnnounced>
        {view.problem}
      </FormNote>
    )
  }
  return view.notice !== undefined && <FormNote tone="info">{view.notice}</FormNote>
}

/** A refused login may be somebody's first: what they have typed makes the account. */
const CreateInstead = () => (
  <p className={classNames(styles.aside, stack.gap2)}>
    New here?
    <ViewLink to="register" className={classNames(buttonClass(), styles.wide)}>
      Create an account with this address
    </ViewLink>
  </p>
)

const OtherMode = ({ mode }: { readonly mode: AccountMode }) => (
  <p className={styles.aside}>
    {mode === 'login' ? 'New here? ' : 'Have an account? '}
    <ViewLink to={mode === 'login' ? 'register' : 'login'}>
      {mode === 'login' ? 'Create an account' : 'Log in'}
    </ViewLink>
  </p>
)
