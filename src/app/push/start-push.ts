import type { createStore } from 'jotai'
import type { LocalDatabase } from '../../db/database'
import { installOfferAtom } from '../../state/offers'
import { homeScreenOpenAtom } from '../../state/panels'
import type { PushClient } from '../../state/push'
import type { EngineClient } from '../../state/services'
import { canPush } from './can-push'
import { followPush } from './follow-push'
import { pushClient } from './push-client'

interface PushOptions {
  readonly db: LocalDatabase
  readonly store: ReturnType<typeof createStore>
  readonly engine: Pick<EngineClient, 'account'>
}

/** This device's notifications: what state they are in, and how that is changed. */
export function startPush({ db, store, engine }: PushOptions): PushClient {
  const needsHomeScreen = () => !canPush() && store.get(installOfferAtom).kind === 'share-sheet'
  const look = followPush(store, db, needsHomeScreen)
  return pushClient({
    db,
    engine,
    needsHomeScreen,
    explainHomeScreen: () => store.set(homeScreenOpenAtom, true),
    onChange: look,
  })
}
