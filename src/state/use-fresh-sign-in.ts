import { useSetAtom } from 'jotai'
import type { AskFailure } from '../db/account-request'
import { confirmOpenAtom } from './panels'

const NOT_CONFIRMED = 'Nothing was changed, since you did not confirm that it is you.'

type WithFreshSignIn = <R extends { readonly ok: true }>(ask: () => Promise<R | AskFailure>) => Promise<R | AskFailure>

/**
 * Asks for something that wants a fresh sign-in. If this session's is too old, the user confirms who they are in a dialog,
 * and the same is asked for once more.
 */
export function useFreshSignIn(): WithFreshSignIn {
  const open = useSetAtom(confirmOpenAtom)
  return async (ask) => {
    const first = await ask()
    if (first.ok || first.error_code !== 'FRESH_SIGN_IN_REQUIRED') return first
    const confirmed = await new Promise<boolean>((onAnswer) => open({ onAnswer }))
    return confirmed ? ask() : { ...first, message: NOT_CONFIRMED }
  }
}
