import type { LocalDatabase } from '../../db/database'
import { countUnseenAlerts } from '../../db/queries/alerts'

/** Installed apps only, and not in every browser (W3C Badging API). */
export type AppBadge = Partial<NavigatorBadge>

/**
 * Says at the app's icon how many alerts nobody has seen. While the app is before somebody's eyes the icon says nothing:
 * the app itself does.
 */
export async function showBadge(db: LocalDatabase, badge: AppBadge, isAppVisible: boolean): Promise<void> {
  const count = isAppVisible ? 0 : await countUnseenAlerts(db)
  await (count === 0 ? badge.clearAppBadge?.() : badge.setAppBadge?.(count))
}
