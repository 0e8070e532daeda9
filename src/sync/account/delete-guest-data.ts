import type { AccountRequest, AccountResult } from '../../db/account-request'
import { forgetGuest } from '../../db/forget-guest'
import { anonymousId } from '../../domain/ids'
import type { EngineEnv } from '../env'
import { asOwner } from './as-owner'
import { resultOf } from './result'

/**
 * Removes a guest at the server, then the browser's push subscription, then the guest here. Every step may be repeated,
 * and this browser forgets last: one that is interrupted before still knows the guest, and a second try ends alike.
 */
export async function deleteGuestData(
  env: EngineEnv,
  { owner }: Extract<AccountRequest, { kind: 'delete-guest-data' }>,
): Promise<AccountResult> {
  const { db, locks, push } = env
  // Nothing of the guest's is on its way meanwhile: a change that arrived later would make the guest anew.
  return locks.request('outbox-drain', () =>
    locks.request('push', async () => {
      const { answer } = await asOwner(env, owner, { route: 'deleteMyData' })
      if (answer.kind !== 'ok') return resultOf(answer)
      await (await push?.current())?.unsubscribe()
      await forgetGuest(db, owner, anonymousId(env.now(), randomOf(env)))
      return resultOf(answer)
    }),
  )
}

/** 32 bytes of two random UUIDs, of which at least 30 are wholly random in their lower six bits. */
const randomOf = ({ token }: EngineEnv): Uint8Array => {
  const digits = (token() + token()).replaceAll('-', '')
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}
