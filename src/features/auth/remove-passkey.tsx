import { useState } from 'react'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { BusyButton, FormNote } from '../../ui/form'
import styles from './auth-form.module.css'
import { FormResult, ViewLink } from './form-result'
import { ResetSent, SetAnotherPassword } from './reset-password-form'

type Removal =
  | { readonly kind: 'asking' | 'removing'; readonly problem: string | null }
  /** `email`: the account's. */
  | { readonly kind: 'removed'; readonly message: string; readonly email: string }
  /** A link that sets another password is on its way. `message` is the server's. */
  | { readonly kind: 'mailed'; readonly message: string }
  | { readonly kind: 'bad-link'; readonly message: string }

const NO_TOKEN = 'The link of the mail is not complete. Open it again.'
const NOT_REMOVED = 'The passkey could not be removed yet. Please try again.'

interface RemovePasskeyProps {
  /** From the link of the mail; null: the link has none. */
  readonly token: string | null
}

const begun = (token: string | null): Removal =>
  token === null ? { kind: 'bad-link', message: NO_TOKEN } : { kind: 'asking', problem: null }

/** Removes a passkey by the link of the mail that told of it, once the user has pressed a button: scanners of mails open links. */
export function RemovePasskey({ token }: RemovePasskeyProps) {
  const { engine } = useServices()
  const [state, setState] = useState(() => begun(token))
  const remove = async () => {
    if (token === null || state.kind !== 'asking') return
    setState({ kind: 'removing', problem: null })
    const result = await engine.call('disownPasskey', { token })
    if (result.ok) setState({ kind: 'removed', ...result.value })
    else if (result.error_code === 'INVALID_LINK') setState({ kind: 'bad-link', message: result.message })
    else setState({ kind: 'asking', problem: sentenceOf(result, NOT_REMOVED) })
  }

  // Keys: each result is a new one, which takes the focus.
  switch (state.kind) {
    case 'asking':
    case 'removing':
      return (
        <FormResult
          kind="password"
          title="Was it not you who added the passkey?"
          actions={
            <>
              {state.problem !== null && <FormNote tone="error">{state.problem}</FormNote>}
              <BusyButton
                variant="primary"
                className={styles.wide}
                busy={state.kind === 'removing'}
                onClick={() => void remove()}
              >
                Remove the passkey
              </BusyButton>
            </>
          }
        >
          <p>Then remove it here. Every device is logged out, and the recovery codes of the account stop working.</p>
          <p>If it was you, close this page: nothing has been changed.</p>
        </FormResult>
      )
    case 'removed':
      return (
        <FormResult
          key="removed"
          kind="success"
          title="The passkey is gone"
          actions={
            <SetAnotherPassword email={state.email} onSent={(message) => setState({ kind: 'mailed', message })} />
          }
        >
          <p>{state.message}</p>
          <p>Somebody who could add it knows your password or was logged in as you. Set another password now.</p>
        </FormResult>
      )
    case 'mailed':
      return <ResetSent message={state.message} />
    case 'bad-link':
      return (
        <FormResult
          key="bad-link"
          kind="error"
          title="This link removes nothing"
          actions={<ViewLink to="forgotPassword">Set another password by mail</ViewLink>}
        >
          <p>{state.message}</p>
          <p>Another password, set by mail, removes passkeys that were added within the last week as well.</p>
        </FormResult>
      )
  }
}
