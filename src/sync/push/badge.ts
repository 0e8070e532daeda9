import { readOfOwner } from '../../db/identity'
import { type LocalDatabase, readMeta } from '../../db/database'
import { countUnseenAlerts } from '../../db/queries/alerts'
import { isAppVisible } from './on-notification-click'

/** Installed apps only, and not in every browser (W3C Badging API). */
type AppBadge = Partial<NavigatorBadge>

/**
 * The number at the app's icon: unseen alerts, which want an answer; without any, the pairs at an extreme as the app last
 * saw them.
 */
export async function badgeCount(db: LocalDatabase): Promise<number> {
  return (await countUnseenAlerts(db)) || countExtremes(db)
}

const countExtremes = async (db: LocalDatabase): Promise<number> =>
  (await readOfOwner(db, [db.meta], async ({ owner }) => {
    const known = await readMeta(db, 'extremes')
    return known?.owner === owner ? known.count : 0
  })) ?? 0

/** Shows the number at the app's icon; none while the app is visible, which shows all of it itself. */
export async function showBadge(db: LocalDatabase, badge: AppBadge, isAppVisible: boolean): Promise<void> {
  const count = isAppVisible ? 0 : await badgeCount(db)
  await (count === 0 ? badge.clearAppBadge?.() : badge.setAppBadge?.(count))
}

interface Surroundings {
  readonly db: LocalDatabase
  readonly badge: AppBadge
  readonly clients: Clients
}

/** The service worker's work with a notification, after which the number is brought up to date. */
export async function withBadge({ db, badge, clients }: Surroundings, work: Promise<void>): Promise<void> {
  await work
  await showBadge(db, badge, await isAppVisible(clients))
}
