import {
  address_counts,
  attempts,
  known_devices,
  passkey_challenges,
  passkeys,
  recovery_codes,
  refresh_tokens,
  sessions,
} from './sessions'
import { alert_events, alert_source, push_deliveries, push_subscriptions, vapid_keys } from './alerts'
import { audit_log, owners, users } from './users'
import { billing_customers, billing_events, billing_removals, subscriptions } from './billing'
import { checkpoints, operations, pairs, widgets } from './widgets'
import { feedback, mail_requests, mail_tokens } from './mail'
import { jobs, retention_clock } from './jobs'
import { market_calls, market_coins, market_fetches, market_points, market_prices } from './market'

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
