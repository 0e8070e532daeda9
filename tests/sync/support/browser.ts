import { randomBytes, randomUUID } from 'node:crypto'
import type { CommandContext } from '../../../src/db/command'
import { ensureIdentity } from '../../../src/db/identity'
import { LocalDatabase, writeMeta } from '../../../src/db/database'
import type { SyncReason } from '../../../src/domain/sync-reason'
import { syncWidgets } from '../../../src/sync/engine'
import { accessTokenKey, signAccessToken } from '../../../server/services/sessions/access-token'
import { userRecord } from '../../db/support/people'
import { newUser } from '../../server/support/new-user'
import { type Person, person } from '../../server/support/person'
import type { TestApp } from '../../server/support/test-app'
import { fakeLocks } from './fake-locks'
import { json } from './wire'
import { signIn } from './sign-in'

export type Tier = 'guest' | 'free' | 'premium'

/** One browser before the real server: its pages' connections, its engine, and a network that can fail. */
export interface Browser {
  readonly context: CommandContext
  /** The same person at another device. */
  readonly elsewhere: Person
  readonly sync: (reason?: SyncReason) => Promise<void>
  readonly setOffline: (offline: boolean) => void
  /** The next change is answered so, and does not reach the server. */
  readonly refuseNext: (status: number, error_code: string, detail: string) => void
  /** Another tab's view: a connection of its own. */
  readonly otherTab: () => LocalDatabase
  /** Closes all connections, as if the browser had ended, and opens one again. */
  readonly reload: () => Promise<CommandContext>
  readonly close: () => void
}

let browsers = 0

export async function startBrowser(server: TestApp, tier: Tier): Promise<Browser> {
  const name = `browser-${browsers++}`
  const tabs: LocalDatabase[] = []
  const open = (): LocalDatabase => {
    tabs.push(new LocalDatabase(name))
    return tabs.at(-1)!
  }
  const contextOf = (db: LocalDatabase): CommandContext => ({ db, now: server.clock, uuid: randomUUID })
  let context = contextOf(open())
  let offline = false
  let refusal: Response | null = null
  const locks = fakeLocks().forContext(name)

  const guest = await ensureIdentity(context, randomBytes(24))
  const { env } = server
  const limits = {
    free: { max_widgets: env.FREE_MAX_WIDGETS, max_checkpoints_per_widget: env.FREE_MAX_CHECKPOINTS },
    premium: { max_widgets: env.PREMIUM_MAX_WIDGETS, max_checkpoints_per_widget: env.PREMIUM_MAX_CHECKPOINTS },
  }
  await writeMeta(context.db, 'tier_limits', { limits, fetched_at: server.clock() })
  let headers: Record<string, string> = { 'x-anonymous-user-id': guest }
  if (tier !== 'guest') {
    const { id } = await newUser(server.database, server.clock(), { premium: tier === 'premium' })
    const claims = { userId: id, sessionId: id, now: server.clock(), lifetime: 86_400 }
    const access = await signAccessToken(accessTokenKey(env), claims)
    await signIn(context.db, userRecord(id, tier === 'premium'), { access, refresh: 'unused' }, server.clock())
    headers = { authorization: `Bearer ${access}` }
  }

  const fetch = async (href: string, init: RequestInit): Promise<Response> => {
    if (offline) throw new TypeError('Failed to fetch')
    if (refusal !== null && init.method !== 'GET') {
      const answer = refusal
      refusal = null
      return answer
    }
    const { pathname, search } = new URL(href)
    const answer = await server.app.inject({
      method: init.method as 'GET',
      url: pathname + search,
      headers: init.headers as Record<string, string>,
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const flat = Object.entries(answer.headers).map(([key, value]): [string, string] => [key, String(value)])
    return new Response([204, 304].includes(answer.statusCode) ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: flat,
    })
  }

  return {
    get context() {
      return context
    },
    elsewhere: person(server.app, () => Promise.resolve(headers)),
    sync: (reason = 'online') =>
      syncWidgets(
        {
          db: context.db,
          fetch,
          now: server.clock,
          random: () => 0.5,
          token: randomUUID,
          locks,
          timer: () => () => undefined,
          origin: 'http://localhost',
        },
        reason,
      ),
    setOffline: (now) => {
      offline = now
    },
    refuseNext: (status, error_code, detail) => {
      refusal = json(status, { detail, error_code })
    },
    otherTab: open,
    reload: async () => {
      for (const tab of tabs) tab.close()
      context = contextOf(open())
      return context
    },
    close: () => tabs.forEach((tab) => tab.close()),
  }
}
