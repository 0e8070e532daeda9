import { describe, expect, test } from 'vitest'
import { DELETION_GRACE_DAYS, UNVERIFIED_DAYS } from '../../src/domain/account'
import { DAY } from '../../src/domain/granularity'
import { AUDIT_KEPT_FOR } from '../../server/services/admin/operators'
import { BILLING_EVENTS_KEPT_FOR as PAYMENT_EVENTS } from '../../server/services/billing/jobs'
import { FEEDBACK_KEPT_FOR as FEEDBACK } from '../../server/services/feedback/feedback'
import { MAX_EXPORTED_ALERTS } from '../../server/services/my-data/read-my-data'
import { OPERATIONS_KEPT_FOR as KEYS, MAX_KEYS } from '../../server/services/operations'
import { readPolicies } from '../../server/services/policies/policies'
import { DELIVERIES_KEPT_FOR, EVENTS_KEPT_FOR } from '../../server/services/push/deliver'
import { GUESTS_KEPT_FOR as GUESTS, KEPT_WITHOUT_PAIRS } from '../../server/services/retention'
import { KNOWN_DEVICES_KEPT_FOR as KNOWN_DEVICES, MAX_DEVICES } from '../../server/services/sessions/devices'
import { REFRESH_LIFETIME, SESSION_LIFETIME } from '../../server/services/sessions/refresh-token'

const policies = readPolicies('server/policies')
const text = policies.text('privacy', policies.current.privacy.version) ?? ''

const days = (milliseconds: number) => `${milliseconds / DAY} days`
/** As English counts what the policy writes out. */
const word = (count: number) =>
  new Map([
    [3, 'three'],
    [10, 'ten'],
  ]).get(count) ?? String(count)
const thousands = (count: number) => count.toLocaleString('en')

describe('privacy policy in force', () => {
  test.each([
    ['guests', `has not been seen for ${days(GUESTS)}, or for ${days(KEPT_WITHOUT_PAIRS)} if you have no pairs`],
    ['unverified accounts', `is not confirmed is removed ${UNVERIFIED_DAYS} days after it was made`],
    ['deleted accounts', `everything that belongs to it is removed ${DELETION_GRACE_DAYS} days later`],
    ['unused sessions', `not been used for ${days(REFRESH_LIFETIME)}, and ${days(SESSION_LIFETIME)} at the longest`],
    ['known browsers', `Browsers that your account knows: ${days(KNOWN_DEVICES)} after you last logged in there`],
    ['the number of known browsers', `at most ${word(MAX_DEVICES)} browsers in which you logged in`],
    [
      'alerts',
      `Alerts: ${days(EVENTS_KEPT_FOR)}. What became of each message about them: ${days(DELIVERIES_KEPT_FOR)}.`,
    ],
    ['feedback', `Feedback: ${days(FEEDBACK)}, or until your account`],
    ['messages of the payment provider', `What we know of Stripe's messages: ${days(PAYMENT_EVENTS)}.`],
    ['the audit log', `people who run the server did: ${word(AUDIT_KEPT_FOR / (365 * DAY))} years.`],
    ['identifiers of requests', `request that is repeated: ${days(KEYS)};`],
    ['the number of identifiers', `at most the newest ${thousands(MAX_KEYS)} of them`],
    ['the alerts of a download', `the newest ${thousands(MAX_EXPORTED_ALERTS)} alerts`],
  ])('the privacy policy says of %s what the server does', (_what, sentence) => {
    expect(text).toContain(sentence)
  })
})
