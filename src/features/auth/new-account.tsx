import { useLiveQuery } from 'dexie-react-hooks'
import { useSetAtom } from 'jotai'
import { countGuestPairs } from '../../db/answers/brought-pairs'
import type { NewAccount } from '../../db/sign-in-rows'
import { openDialogAtom } from '../../state/open-dialogs'
import { useConfig } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { LinkButton } from '../../ui/button'
import checkBox from '../../ui/check-box.module.css'
import styles from './auth-form.module.css'

interface GuestPairsBoxProps {
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

/** Pairs of this browser's guest. */
function useGuestPairs(): number {
  const { db } = useServices().commands
  return useLiveQuery(() => countGuestPairs(db), [db]) ?? 0
}

/** The question about the pairs of this browser's guest, answered with yes unless the user says no. */
export function GuestPairsBox({ checked, onCheck }: GuestPairsBoxProps) {
  const count = useGuestPairs()
  if (count === 0) return null
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        className={checkBox.box}
      />
      {count === 1 ? 'Bring my pair along' : `Bring my ${count} pairs along`}
    </label>
  )
}

/** Says what logging in with Google accepts and does for who has no account yet; absent where it does neither. */
export function GoogleSentence({ versions }: { readonly versions: NewAccount['accepted'] }) {
  const hasGoogle = useConfig()?.google != null
  const count = useGuestPairs()
  if (!hasGoogle || versions === null) return null
  return (
    <p className={styles.legal}>
      With Google you accept the <Policies versions={versions} />, unless you have already.
      {count > 0 && ` A new account takes your ${count === 1 ? 'pair' : `${count} pairs`} along.`}
    </p>
  )
}

/** Says what the press that makes the account accepts. `versions`: null while they are not known. */
export function PoliciesSentence({ versions }: { readonly versions: NewAccount['accepted'] }) {
  const hasGoogle = useConfig()?.google != null
  return versions === null ? (
    <p className={styles.legal}>
      You will be asked to accept the <Policies versions={null} /> when you log in.
    </p>
  ) : (
    <p className={styles.legal}>
      By registering{hasGoogle && ', here or with Google,'} you accept the <Policies versions={versions} />.
    </p>
  )
}

function Policies({ versions }: { readonly versions: NewAccount['accepted'] }) {
  const openDialog = useSetAtom(openDialogAtom)
  return (
    <>
      <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'terms' })}>Terms of Use</LinkButton>
      {versions && ` (version ${versions.terms})`} and the{' '}
      <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'privacy' })}>Privacy Policy</LinkButton>
      {versions && ` (version ${versions.privacy})`}
    </>
  )
}
