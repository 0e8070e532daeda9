import { useSetAtom } from 'jotai'
import type { InactiveNotice } from '../../domain/tier-limits'
import { openDialogAtom } from '../../state/open-dialogs'
import { useTierLimits } from '../../state/server-settings'
import { Button } from '../../ui/button'
import { inactiveWords } from '../../domain/inactive-words'
import styles from './inactive-head.module.css'

interface InactiveHeadProps {
  readonly notice: InactiveNotice
  /** How many pairs are active. */
  readonly active: number
}

/** Says why all inactive pairs are inactive, and leads to the upgrade where there is one. */
export function InactiveHead({ notice: { code, upgrade }, active }: InactiveHeadProps) {
  const premium = useTierLimits()?.premium.max_widgets
  const openDialog = useSetAtom(openDialogAtom)
  return (
    <div className={styles.head}>
      <p className={styles.text}>{inactiveWords({ code, active, premium })}</p>
      {upgrade !== null && (
        <Button
          variant="primary"
          size="sm"
          onClick={() => openDialog(upgrade === 'login' ? { kind: 'auth', view: 'login' } : { kind: 'upgrade' })}
        >
          {upgrade === 'login' ? 'Log in to upgrade' : 'Upgrade'}
        </Button>
      )}
    </div>
  )
}
