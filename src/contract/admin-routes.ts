import * as z from 'zod'
import { adminProfile, adminUser, adminUsersQuery, auditEntry, auditQuery, grantPremiumBody, overview } from './admin'
import { subscription } from './billing'
import type { Route } from './routes'
import { emptyBody } from './session'

const ofUser = z.strictObject({ id: z.uuid().toLowerCase() })

/** What support and operators may do. */
export const adminRoutes = {
  adminUsers: {
    method: 'GET',
    path: '/admin/users',
    identity: 'superuser',
    summary: 'Accounts, newest first, a page at a time',
    query: adminUsersQuery,
    status: 200,
    counted: true,
    answer: z.array(adminUser),
  },
  adminUser: {
    method: 'GET',
    path: '/admin/users/:id',
    identity: 'superuser',
    summary: 'An account, and how much is its',
    params: ofUser,
    status: 200,
    answer: adminProfile,
  },
  adminSubscriptions: {
    method: 'GET',
    path: '/admin/users/:id/subscriptions',
    identity: 'superuser',
    summary: 'All that has given an account Premium, newest first',
    params: ofUser,
    status: 200,
    answer: z.array(subscription),
  },
  grantPremium: {
    method: 'POST',
    path: '/admin/users/:id/grant-premium',
    identity: 'superuser',
    summary: 'Gives an account Premium for some days, beside whatever it pays for',
    params: ofUser,
    body: grantPremiumBody,
    status: 200,
    answer: subscription,
  },
  revokePremium: {
    method: 'POST',
    path: '/admin/users/:id/revoke-premium',
    identity: 'superuser',
    summary: 'Ends what was granted; what is paid for goes on',
    params: ofUser,
    body: emptyBody,
    status: 200,
    answer: subscription,
  },
  auditLog: {
    method: 'GET',
    path: '/admin/audit-log',
    identity: 'superuser',
    summary: 'What operators did, newest first, a page at a time',
    query: auditQuery,
    status: 200,
    counted: true,
    answer: z.array(auditEntry),
  },
  overview: {
    method: 'GET',
    path: '/admin/overview',
    identity: 'superuser',
    summary: 'What an operator wants to see at once',
    status: 200,
    answer: overview,
  },
} as const satisfies Record<string, Route>
