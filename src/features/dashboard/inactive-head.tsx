import { useSetAtom } from 'jotai'
import type { InactiveReason } from '../../domain/tier-limits'
import type { InactiveNotice } from '../../state/card-slot'
import { openDialogAtom } from '../../state/open-dialogs'
import { useTierLimits } from '../../state/server-settings'
import { Button } from '../../ui/button'
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

const pairs = (count: number) => (count === 1 ? '1 pair' : `${count} pairs`)

export interface InactiveFacts {
  readonly code: InactiveReason
  /** How many pairs are active. */
  readonly active: number
  /** How many pairs Premium tracks; undefined: not known. */
  readonly premium: number | undefined
}

/** Why the pairs are inactive, and how the user brings one back. */
export function inactiveWords({ code, active, premium }: InactiveFacts): string {
  switch (code) {
    case 'NOT_YET_ACTIVE':
      return 'These pairs are inactive for now. The next update tracks them again, or says why.'
    case 'MAX_LIMIT_NEXT_UP':
    case 'MAX_LIMIT_QUEUED':
      return `Your tier tracks ${pairs(active)}. The first of these becomes active when you remove an active pair. Or make one active in place of another.`
    case 'TIER_LIMIT': {
      const more = premium === undefined || premium <= active ? 'more' : `up to ${premium}`
      return `Your tier tracks ${pairs(active)}. These keep their settings: make one active in place of another, or upgrade to track ${more}.`
    }
  }
}
