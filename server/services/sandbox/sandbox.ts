import { join } from 'node:path'
import type { Env } from '../../env'
import { type SandboxBilling, sandboxBilling } from './billing/billing'
import { type SandboxGoogle, sandboxGoogle } from './google'

/** The sandbox, in place of mail, Google and payments where no keys are configured; never in production. */
export interface Sandbox {
  /** Folder of the mails that were not sent; null: they are sent. */
  readonly mails: string | null
  /** Null: the real one is configured. */
  readonly google: SandboxGoogle | null
  /** Null: Stripe is configured. */
  readonly billing: SandboxBilling | null
}

/** @returns null where nothing is a sandbox */
export function sandboxOf(env: Env, clock: () => number): Sandbox | null {
  if (env.NODE_ENV === 'production') return null
  const mails = env.SMTP_URL === undefined ? join(env.DATA_DIR, 'mails') : null
  const google = env.GOOGLE_CLIENT_ID === undefined ? sandboxGoogle(env.PUBLIC_URL, clock) : null
  const billing =
    env.STRIPE_SECRET_KEY === undefined ? sandboxBilling(join(env.DATA_DIR, 'customers'), env.PUBLIC_URL, clock) : null
  return mails === null && google === null && billing === null ? null : { mails, google, billing }
}
