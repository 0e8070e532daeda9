import { join } from 'node:path'
import * as z from 'zod'
import type { Env } from '../../env'
import { isVapidPair, newVapidKeys, type Vapid, type VapidKeys } from '../../vapid'
import { keptFile } from '../kept-file'

export const VAPID_FILE = 'vapid-keys.json'
const pair = z.object({ publicKey: z.string(), privateKey: z.string() })

type Configured = Pick<Env, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT' | 'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'DATA_DIR'> // prettier-ignore

/**
 * How the server introduces itself to push services: by the keys of VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or by a pair
 * that is made once and kept in DATA_DIR. Every subscription is bound to the public key it was made with.
 * @throws Error when the kept pair cannot be read or is none
 */
export function vapidOf(env: Configured): Vapid {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env
  const keys = publicKey === undefined || privateKey === undefined ? readKeptKeys(env.DATA_DIR) : { publicKey, privateKey } // prettier-ignore
  return { ...keys, subject: subjectOf(env) }
}

/** Whom a push service may write to. */
export const subjectOf = ({ VAPID_SUBJECT, PUBLIC_URL, SUPPORT_EMAIL }: Configured): string =>
  VAPID_SUBJECT ?? (PUBLIC_URL.startsWith('https:') ? PUBLIC_URL : `mailto:${SUPPORT_EMAIL}`)

export const keptVapidFile = (folder: string): string => join(folder, VAPID_FILE)

/**
 * The pair in the folder's file, which is made where there is none.
 * @throws Error when it cannot be read or is none
 */
export function readKeptKeys(folder: string): VapidKeys {
  const kept = keys(keptFile(folder, VAPID_FILE, () => JSON.stringify(newVapidKeys())))
  if (kept === null) throw new Error(`${keptVapidFile(folder)} does not hold a pair of keys. Remove it, and a new one is made.`) // prettier-ignore
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
