import { join } from 'node:path'
import * as z from 'zod'
import type { Env } from '../../env'
import { isVapidPair, newVapidKeys, type Vapid, type VapidKeys } from '../../vapid'
import { keptFile } from '../kept-file'

const NAME = 'vapid-keys.json'
const pair = z.object({ publicKey: z.string(), privateKey: z.string() })

type Configured = Pick<Env, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT' | 'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'DATA_DIR'> // prettier-ignore

/**
 * How the server introduces itself to push services: by the keys of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or by a pair
 * that is made once and kept in DATA_DIR. Every subscription is bound to the public key it was made with.
 * @throws Error when the kept pair cannot be read or is none
 */
export function vapidOf(env: Configured): Vapid {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT, PUBLIC_URL, SUPPORT_EMAIL } = env
  const keys = publicKey === undefined || privateKey === undefined ? keptKeys(env.DATA_DIR) : { publicKey, privateKey }
  const subject = VAPID_SUBJECT ?? (PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : `mailto:${SUPPORT_EMAIL}`)
  return { ...keys, subject }
}

function keptKeys(folder: string): VapidKeys {
  const kept = keys(keptFile(folder, NAME, () => JSON.stringify(newVapidKeys())))
  if (kept === null) throw new Error(`${join(folder, NAME)} does not hold a pair of keys. Remove it, and a new one is made.`) // prettier-ignore
  return kept
}

function keys(text: string): VapidKeys | null {
  try {
    const kept = pair.parse(JSON.parse(text))
    return isVapidPair(kept) ? kept : null
  } catch {
    // No JSON, or not of this shape.
    return null
  }
}
