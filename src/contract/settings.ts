import * as z from 'zod/mini'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../domain/account'
import { planPrice } from './billing'
import type { Route } from './route'
import { messageAnswer } from './session'
import { MARKET_SOURCES } from './market'

/** A text that users accept, each version anew. `path` is the address of the plain text. */
const policy = z.object({ version: z.string(), path: z.string() })
export const policies = z.object({ terms: policy, privacy: policy })
export type Policies = z.infer<typeof policies>

/** PostgreSQL's text holds every character but this one. */
const noZero = (text: string) => !text.includes('\0')

export const feedbackBody = z.strictObject({
  message: z
    .string()
    .check(
      z.trim(),
      z.minLength(SHORTEST_FEEDBACK),
      z.maxLength(LONGEST_FEEDBACK),
      z.refine(noZero, 'Must not contain U+0000.'),
    ),
})

const limits = z.object({
  max_widgets: z.int().check(z.minimum(1)),
  max_checkpoints_per_widget: z.int().check(z.minimum(1)),
  /** Coins by market cap that Radar ranks beside the owner's own; absent in answers of older servers. */
  radar_coins: z.optional(z.int().check(z.minimum(0))),
})
export const tierLimits = z.object({ free: limits, premium: limits })

/** Parts of alerts by which versions of the server differ. */
export const ALERT_FEATURES = ['margin', 'ways', 'extremes', 'quiet', 'receipts', 'rules', 'snooze'] as const
/** `telegram`: where the operator has a bot. */
export type AlertFeature = (typeof ALERT_FEATURES)[number] | 'telegram'

/** Public run-time settings. */
export const config = z.object({
  version: z.string(),
  vapid_public_key: z.nullable(z.string()),
  google: z.nullable(
    z.object({
      client_id: z.string(),
      authorization_url: z.string(),
      /** The only address to which Google sends users back; absent in answers of older servers. */
      redirect_uri: z.optional(z.string()),
    }),
  ),
  billing: z.object({
    available: z.boolean(),
    sandbox: z.boolean(),
    /** The price of Premium; absent: unknown, or nothing is sold. */
    price: z.optional(planPrice),
  }),
  market_data: z.object({
    source: z.enum(MARKET_SOURCES),
    /** Base of CoinGecko's API v3 that clients poll, without a trailing slash. */
    price_url: z.string(),
    attribution: z.object({ text: z.string(), url: z.nullable(z.string()) }),
    /** The exchange that gives prices of the second beside the source, one of EXCHANGES; null or absent: none does now. */
    stream: z.nullish(z.object({ exchange: z.string() })),
  }),
  support_email: z.string(),
  /** ALERT_FEATURES of the server's version; absent in answers of older servers, which refuse their fields. */
  alert_features: z.optional(z.array(z.string())),
})
export type Config = z.infer<typeof config>

export const settingsRoutes = {
  tierLimits: {
    method: 'GET',
    path: '/settings/tier-limits',
    identity: 'none',
    summary: 'Limits of the free and the premium tier',
    answer: tierLimits,
  },
  config: {
    method: 'GET',
    path: '/config',
    identity: 'none',
    summary: 'Public run-time settings',
    answer: config,
  },
  currentPolicies: {
    method: 'GET',
    path: '/policies/current',
    identity: 'none',
    summary: 'Versions and paths of the policies in force',
    answer: policies,
  },
  feedback: {
    method: 'POST',
    path: '/feedback',
    identity: 'any',
    summary: 'Sends a message to the people behind the app',
    body: feedbackBody,
    status: 201,
    answer: messageAnswer,
  },
} as const satisfies Record<string, Route>
