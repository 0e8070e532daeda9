import { liveQuery } from 'dexie'
import type { PushSubscriptionBody } from '../../contract/alerts'
import { type LocalDatabase, readMeta } from '../../db/database'
import { messageOf } from '../../domain/error-message'
import { PUSH_BLOCKED, PUSH_UNSUPPORTED, type PushClient, type PushResult } from '../../state/push'
import type { EngineClient } from '../../state/services'
import { bodyOf, currentPush, hasKey, SUBSCRIBE_LIMIT, subscribeTo } from '../../sync/push/device'
import { withTimeLimit } from '../../domain/waits'
import { browserTimer } from '../../sync/in-time'
import { canPush } from './push-state'

const NO_PERMISSION = 'Could not enable push notifications. Please grant permission.'
const NOT_TAKEN = 'Push subscription could not be established with the server.'
const NOT_SET_UP = 'Problem with push setup. Please try again or contact support.'

export interface PushPorts {
  readonly db: LocalDatabase
  readonly engine: Pick<EngineClient, 'call'>
  /** True if this device must have the app on its home screen first (iPhone, iPad). */
  readonly needsHomeScreen: () => boolean
  readonly explainHomeScreen: () => void
  /** A call has ended, well or badly, and the browser's state may have changed. */
  readonly onChange: () => void
}

const refused = (message: string | null): PushResult => ({ ok: false, message })

/** The whole flow of the switch on this device, in the specification's words. */
export function pushClient({ db, engine, needsHomeScreen, explainHomeScreen, onChange }: PushPorts): PushClient {
  const enable = async (): Promise<PushResult> => {
    if (needsHomeScreen()) {
      explainHomeScreen()
      return refused(null)
    }
    if (!canPush()) return refused(PUSH_UNSUPPORTED)
    if (Notification.permission === 'denied') return refused(PUSH_BLOCKED)
    // Before everything that takes time: browsers ask only while the click counts as the user's.
    if ((await Notification.requestPermission()) !== 'granted') return refused(NO_PERMISSION)
    const { body, undo } = await subscribeHere(await serverKey(db))
    const reply = await engine.call('subscribePush', body)
    // Without an answer the engine registers this device with the server later.
    if (reply.ok || reply.status === 0) return { ok: true }
    await undo()
    return refused(NOT_TAKEN)
  }

  const disable = async (): Promise<PushResult> => {
    const registration = canPush() ? await navigator.serviceWorker.getRegistration() : undefined
    const subscription = await currentPush(registration)
    await engine.call('unsubscribePush', { endpoint: subscription?.endpoint ?? null })
    // The server may learn of this later; the push service refuses its pushes from now on.
    await subscription?.unsubscribe()
    return { ok: true }
  }

  const changing = (ask: () => Promise<PushResult>) => once(() => ask().finally(onChange))
  return { enable: orRefused(changing(enable), 'enabling'), disable: orRefused(changing(disable), 'disabling') }
}

/** One at a time: a second click waits for the first one's answer. */
function once(ask: () => Promise<PushResult>): () => Promise<PushResult> {
  let asking: Promise<PushResult> | undefined
  return () =>
    (asking ??= ask().finally(() => {
      asking = undefined
    }))
}

const orRefused =
  (ask: () => Promise<PushResult>, doing: 'enabling' | 'disabling') => async (): Promise<PushResult> => {
    try {
      return await ask()
    } catch (error) {
      // oxlint-disable-next-line no-console -- the browser's answer, or none at all, is no fault of the app's
      if (error instanceof PushSetupFailed || error instanceof DOMException) console.warn(error)
      else reportError(error)
      if (error instanceof PushSetupFailed) return refused(`${NOT_SET_UP} ${error.message}`)
      return refused(`Error ${doing} push: ${messageOf(error)}`)
    }
  }

/**
 * The server's public key for push (RFC 8292, base64url), waited for at a first visit, when the settings are still under
 * way. Null: this server sends none.
 */
async function serverKey(db: LocalDatabase): Promise<string | null> {
  const known = await readMeta(db, 'config')
  if (known !== undefined) return known.config.vapid_public_key
  let stop = () => {}
  const loaded = new Promise<string | null>((resolve, reject) => {
    const query = liveQuery(() => readMeta(db, 'config')).subscribe({
      next: (value) => value && resolve(value.config.vapid_public_key),
      error: reject,
    })
    stop = () => query.unsubscribe()
  })
  return withSetupLimit(loaded, 'The server’s settings did not arrive within 10 seconds.').finally(() => stop())
}

const NO_ANSWER = 'The browser’s push service did not answer within 10 seconds.'

interface Subscribed {
  readonly body: PushSubscriptionBody
  /** Takes back a new subscription; one that was there before stays. */
  readonly undo: () => Promise<unknown>
}

/**
 * This browser's subscription for this server, made if there is none (W3C Push API; RFC 8292 for the key). The user has
 * permitted notifications before.
 * @throws PushSetupFailed if the service worker or the push service does not come up in time, or gives no address
 */
async function subscribeHere(key: string | null): Promise<Subscribed> {
  if (key === null) throw new PushSetupFailed('This server sends no push messages.')
  const registration = await withSetupLimit(
    navigator.serviceWorker.ready,
    'The app’s background worker did not start within 10 seconds.',
  )
  const present = await withSetupLimit(
    currentPush(registration),
    'The browser did not say within 10 seconds whether it is subscribed.',
  )
  const subscription = await withSetupLimit(subscribeTo(registration, key), NO_ANSWER)
  const body = bodyOf(subscription)
  if (body === null) throw new PushSetupFailed('The browser’s push service gave no address.')
  const kept = present !== null && hasKey(present, key)
  return { body, undo: async () => kept || subscription.unsubscribe() }
}

/** Push could not be set up although nothing is forbidden. The message tells the user why. */
class PushSetupFailed extends Error {
  override readonly name = 'PushSetupFailed'
}

/**
 * The same promise, given up after ten seconds: in a browser that cannot reach its push service `PushManager.subscribe` may
 * never end, and without a registered service worker `serviceWorker.ready` never does (W3C).
 */
const withSetupLimit = <T>(work: Promise<T>, late: string): Promise<T> =>
  withTimeLimit(browserTimer, SUBSCRIBE_LIMIT, work, () => {
    throw new PushSetupFailed(late)
  })
