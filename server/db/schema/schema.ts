import { address_counts } from './address-counts'
import { alert_source } from './alert-source'
import { alert_events } from './alerts'
import { attempts } from './attempts'
import { audit_log } from './audit'
import { billing_customers, billing_events, billing_removals, subscriptions } from './billing'
import { checkpoints } from './checkpoints'
import { feedback } from './feedback'
import { jobs } from './jobs'
import { known_devices } from './known-devices'
import { mail_requests, mail_tokens } from './mail'
import { market_calls, market_coins, market_fetches, market_points, market_prices } from './market'
import { operations } from './operations'
import { owners } from './owners'
import { pairs } from './pairs'
import { passkey_challenges, passkeys, recovery_codes } from './passkeys'
import { push_deliveries, push_subscriptions } from './push'
import { retention_clock } from './retention'
import { refresh_tokens, sessions } from './sessions'
import { users } from './users'
import { vapid_keys } from './vapid-keys'
import { widgets } from './widgets'

/** Every table, for Drizzle. */
export const schema = {
  owners,
  users,
  sessions,
  refresh_tokens,
  known_devices,
  passkeys,
  recovery_codes,
  passkey_challenges,
  attempts,
  address_counts,
  pairs,
  widgets,
  checkpoints,
  alert_events,
  alert_source,
  push_subscriptions,
  push_deliveries,
  vapid_keys,
  operations,
  feedback,
  mail_requests,
  mail_tokens,
  billing_customers,
  subscriptions,
  billing_events,
  billing_removals,
  audit_log,
  jobs,
  retention_clock,
  market_coins,
  market_prices,
  market_points,
  market_fetches,
  market_calls,
}
