import { useAtomValue } from 'jotai'
import { AccountOverlay } from '../../../src/app/account-overlays'
import { SessionExpired } from '../../../src/features/auth/session-expired'
import { accountAtom } from '../../../src/state/account'
import { findOverlay, type OverlayKind, overlaysAtom } from '../../../src/state/overlays'
import type { LocalApp } from './local-app'

/** The open dialog of a kind; undefined: none is open. */
export const overlay = <K extends OverlayKind>(store: LocalApp['store'], kind: K) =>
  findOverlay(store.get(overlaysAtom), kind)

/** The dialogs about accounts, as src/app/overlays.tsx draws them, without the wait for their code. */
export function AccountOverlays() {
  const account = useAtomValue(accountAtom)
  return (
    <>
      {useAtomValue(overlaysAtom).map((one) => {
        if (one.kind === 'add-pair' || one.kind === 'changes' || one.kind === 'checkpoints') throw new Error(one.kind)
        return <AccountOverlay key={one.kind} overlay={one} />
      })}
      {account?.expired === true && <SessionExpired owner={account.owner} />}
    </>
  )
}
