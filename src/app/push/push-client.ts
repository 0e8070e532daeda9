import type { LocalDatabase } from '../../db/database'
import type { PushClient, PushResult } from '../../state/push'
import { PUSH_BLOCKED, PUSH_UNSUPPORTED } from '../../state/push-words'
import type { EngineClient } from '../../state/services'
import { currentPush } from '../../sync/push/device'
import { PushSetupFailed } from './patience'
import { canPush } from './can-push'
import { serverKey } from './server-key'
import { subscribeHere } from './subscribe-here'

const NOT_GRANTED = 'Could not enable push notifications. Please grant permission.'
const NOT_TAKEN = 'Push subscription could not be established with the server.'
const NOT_SET_UP = 'Problem with push setup. Please try again or contact support.'

export interface PushPorts {
  readonly db: LocalDatabase
  readonly engine: Pick<EngineClient, 'account'>
  /** Whether this device must have the app on its home screen before it can do anything (iPhone, iPad). */
  readonly needsHomeScreen: () => boolean
  readonly explainHomeScreen: () => void
  /** Something may have changed in the browser, well or badly ended. */
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
    if ((await Notification.requestPermission()) !== 'granted') return refused(NOT_GRANTED)
    const { body, undo } = await subscribeHere(await serverKey(db))
    const told = await engine.account({ kind: 'subscribe-push', subscription: body })
    // Nothing answered: the device can be reached, and the engine tells the server when it can.
    if (told.ok || told.status === 0) return { ok: true }
    await undo()
    return refused(NOT_TAKEN)
  }

  const disable = async (): Promise<PushResult> => {
    const registration = canPush() ? await navigator.serviceWorker.getRegistration() : undefined
    const subscription = await currentPush(registration)
    await engine.account({ kind: 'unsubscribe-push', endpoint: subscription?.endpoint ?? null })
    // The server may not hear of it for a while; the push service refuses from here on.
    await subscription?.unsubscribe()
    return { ok: true }
  }

  const changing = (ask: () => Promise<PushResult>) => once(() => ask().finally(onChange))
  return { enable: orSaid(changing(enable), 'enabling'), disable: orSaid(changing(disable), 'disabling') }
}

/** One at a time: a second click waits for the first one's answer. */
function once(ask: () => Promise<PushResult>): () => Promise<PushResult> {
  let asking: Promise<PushResult> | undefined
  return () =>
    (asking ??= ask().finally(() => {
      asking = undefined
    }))
}

const orSaid = (ask: () => Promise<PushResult>, doing: 'enabling' | 'disabling') => async (): Promise<PushResult> => {
  try {
    return await ask()
  } catch (error) {
    // oxlint-disable-next-line no-console -- the browser's answer, or none at all, is no fault of the app's
    if (error instanceof PushSetupFailed || error instanceof DOMException) console.warn(error)
    else reportError(error)
    if (error instanceof PushSetupFailed) return refused(`${NOT_SET_UP} ${error.message}`)
    return refused(`Error ${doing} push: ${error instanceof Error ? error.message : String(error)}`)
  }
}
