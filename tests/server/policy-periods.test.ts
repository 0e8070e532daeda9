import { expect, test } from 'vitest'
import { DELETION_GRACE_DAYS, UNVERIFIED_DAYS } from '../../src/domain/account'
import { DAY } from '../../src/domain/granularity'
import { KEPT_FOR, MAX_OF_ONE_OWNER as MAX } from '../../server/services/kept-for'
import { readPolicies } from '../../server/services/policies/policies'
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

test.each([
  [
    'guests',
    `has not been seen for ${days(KEPT_FOR.guest)}, or for ${days(KEPT_FOR.guestWithoutPairs)} if you have no pairs`,
  ],
  ['unverified accounts', `is not confirmed is removed ${UNVERIFIED_DAYS} days after it was made`],
  ['deleted accounts', `everything that belongs to it is removed ${DELETION_GRACE_DAYS} days later`],
  ['unused sessions', `not been used for ${days(REFRESH_LIFETIME)}, and ${days(SESSION_LIFETIME)} at the longest`],
  ['known browsers', `Browsers that your account knows: ${days(KEPT_FOR.knownDevice)} after you last logged in there`],
  ['the number of known browsers', `at most ${word(MAX.knownDevices)} browsers in which you logged in`],
  [
    'alerts',
    `Alerts: ${days(KEPT_FOR.alert)}. What became of each message about them: ${days(KEPT_FOR.pushDelivery)}.`,
  ],
  [
    'security events',
    `account's security: ${days(KEPT_FOR.securityEvent)}, and at most ${MAX.securityEventsOfKind} of each kind`,
  ],
  ['feedback', `Feedback: ${days(KEPT_FOR.feedback)}, or until your account`],
  ['messages of the payment provider', `What we know of Stripe's messages: ${days(KEPT_FOR.billingEvent)}.`],
  ['the audit log', `people who run the server did: ${word(KEPT_FOR.auditEntry / (365 * DAY))} years.`],
  ['identifiers of requests', `request that is repeated: ${days(KEPT_FOR.operation)};`],
  ['the number of identifiers', `at most the newest ${thousands(MAX.operations)} of either`],
  ['the alerts of a download', `the newest ${thousands(MAX.exportedAlerts)} alerts`],
])('the privacy policy says of %s what the server does', (_what, sentence) => {
  expect(text).toContain(sentence)
})
