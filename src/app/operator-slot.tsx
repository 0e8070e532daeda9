import { useAtomValue } from 'jotai'
import { accountAtom } from '../state/account'
import { lastingPart } from '../ui/lasting-part'
import { useMediaQuery, WIDE } from '../ui/use-media-query'

const OperatorPanel = lastingPart(async () => (await import('../features/operator/operator-panel')).OperatorPanel)

/** The superuser panel, on screens that have room for it; nobody else loads its code. */
export function OperatorSlot() {
  const wide = useMediaQuery(WIDE)
  const isSuperuser = useAtomValue(accountAtom)?.user?.is_superuser === true
  return wide && isSuperuser ? <OperatorPanel /> : null
}
