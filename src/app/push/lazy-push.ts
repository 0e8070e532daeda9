import type { PushClient, PushResult } from '../../state/push'

/**
 * The client at once, its code a moment later: it is asked for beside the first paint, so that a click on a switch need
 * not wait for a network while the browser still counts it as the user's (HTML: transient activation).
 */
export function lazyPush(load: () => Promise<PushClient>): PushClient {
  const ask = async (what: keyof PushClient): Promise<PushResult> => {
    try {
      return await (await load())[what]()
    } catch (error) {
      reportError(error)
      return { ok: false, message: `Error enabling push: ${error instanceof Error ? error.message : String(error)}` }
    }
  }
  return { enable: () => ask('enable'), disable: () => ask('disable') }
}
