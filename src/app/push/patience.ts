import { withTimeLimit } from '../../domain/waits'
import { browserTimer } from '../../sync/in-time'
import { SUBSCRIBE_LIMIT } from '../../sync/push/device'

/** Thrown when push could not be set up although nothing is forbidden. The message says why to the user. */
export class PushSetupFailed extends Error {
  override readonly name = 'PushSetupFailed'
}

/**
 * The same promise, given up after ten seconds: a browser that cannot reach its push service may never settle
 * `PushManager.subscribe`, and where no service worker was registered `serviceWorker.ready` never does (W3C).
 */
export const withSetupLimit = <T>(work: Promise<T>, late: string): Promise<T> =>
  withTimeLimit(browserTimer, SUBSCRIBE_LIMIT, work, () => {
    throw new PushSetupFailed(late)
  })
