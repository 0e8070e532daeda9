import { SUBSCRIBE_LIMIT } from '../../sync/push/device'

/** Thrown when push could not be set up although nothing is forbidden. The message says why to the user. */
export class PushSetupFailed extends Error {
  override readonly name = 'PushSetupFailed'
}

/**
 * The same promise, given up after ten seconds: a browser that cannot reach its push service may never settle
 * `PushManager.subscribe`, and where no service worker was registered `serviceWorker.ready` never does (W3C).
 */
export async function inTime<T>(promise: Promise<T>, late: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PushSetupFailed(late)), SUBSCRIBE_LIMIT)
  })
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer))
}
