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

/** The question about the pairs of this browser's guest, answered with yes unless the user says no. */
export function GuestPairsBox({ checked, onCheck }: GuestPairsBoxProps) {
  const { db } = useServices().commands
  const count = useLiveQuery(() => countGuestPairs(db), [db]) ?? 0
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

/** Says what the press that makes the account accepts. `versions`: null while they are not known. */
export function PoliciesSentence({ versions }: { readonly versions: NewAccount['accepted'] }) {
  const openDialog = useSetAtom(openDialogAtom)
  const hasGoogle = useConfig()?.google != null
  const terms = <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'terms' })}>Terms of Use</LinkButton>
  const privacy = (
    <LinkButton onClick={() => openDialog({ kind: 'policy', policy: 'privacy' })}>Privacy Policy</LinkButton>
  )
  return versions === null ? (
    <p className={styles.legal}>
      You will be asked to accept the {terms} and the {privacy} when you log in.
    </p>
  ) : (
    <p className={styles.legal}>
      By registering{hasGoogle && ', here or with Google,'} you accept the {terms} (version {versions.terms}) and the{' '}
      {privacy} (version {versions.privacy}).
    </p>
  )
}
