import type { LocalDatabase } from '../../db/database'
import { showBadge } from '../../sync/push/badge'

/** Keeps the badge of an installed app's icon right in a page: whoever looks at the app is told there. */
export function badgeHere(db: LocalDatabase): Promise<void> {
  return showBadge(db, navigator, document.visibilityState === 'visible')
}

export function clearBadgeWhenSeen(db: LocalDatabase): void {
  const clear = () => {
    if (document.visibilityState === 'visible') badgeHere(db).catch((error: unknown) => reportError(error))
  }
  clear()
  document.addEventListener('visibilitychange', clear)
}
