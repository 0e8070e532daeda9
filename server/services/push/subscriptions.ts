import { ECDH } from 'node:crypto'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import type { PushBody } from '../../../src/contract/alerts'
import type { PushHosts } from '../../adapters/push/push-hosts'
import { ApiError } from '../../http/api-error'
import { hashOfSecret, newSecret } from '../secrets'
import type { Queryable } from '../../db/open'
import { push_subscriptions } from '../../db/schema/alerts'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import { findOwner } from '../owners'
import type { ServiceDeps } from '../service-deps'

/** More browsers than anybody uses: the one that subscribed longest ago goes. */
const MAX_SUBSCRIPTIONS = 20
/** Characters, once those are escaped that an address cannot hold: so many fit into an index. */
const MAX_ENDPOINT = 2048

interface Subscribed {
  readonly id: string
  readonly receipt_secret?: string
}

/**
 * Sends the caller's alerts to a browser from now on, and nobody else's any more. One that asks for receipts gets a new secret
 * each time, also by a repetition: the server has no more than a hash of the one whose answer was lost. The value is null when a repetition
 * finds the browser gone or another owner's.
 * @throws ApiError VALIDATION_ERROR for an endpoint or a key that nothing can be sent to, IDEMPOTENCY_KEY_REUSED
 */
export function subscribe(
  { database }: Pick<ServiceDeps, 'database'>,
  hosts: PushHosts,
  request: ChangeRequest,
  body: PushBody,
): Promise<Changed<Subscribed | null>> {
  const admitted = hosts(body.endpoint)
  if (admitted === null || admitted.url.href.length > MAX_ENDPOINT)
    throw invalid('body.endpoint', 'is not at a push service that this server sends to')
  if (!isPoint(body.keys.p256dh)) throw invalid('body.keys.p256dh', 'is not a public key on P-256')
  const endpoint = admitted.url.href
  const receipt_secret = body.receipts === true ? newSecret() : undefined
  const receipt_hash = receipt_secret === undefined ? null : hashOfSecret(receipt_secret)
  const once = receipt_secret === undefined ? {} : { receipt_secret }
  return changeOnce<Subscribed | null>(database, request, {
    forEver: false,
    raises: 'nothing',
    recall: async (tx, owner) => {
      const mine = and(eq(push_subscriptions.owner_id, owner.id), eq(push_subscriptions.endpoint, endpoint))
      const [row] = await tx
        .update(push_subscriptions)
        .set({ receipt_hash })
        .where(mine)
        .returning({ id: push_subscriptions.id })
      return row === undefined ? null : { ...row, ...once }
    },
    make: async (tx, owner) => {
      const columns = {
        owner_id: owner.id,
        session_id: request.caller.kind === 'user' ? request.caller.sessionId : null,
        p256dh: body.keys.p256dh.replace('=', ''),
        auth: body.keys.auth.replaceAll('=', ''),
        expires_at: body.expirationTime === null ? null : new Date(body.expirationTime),
        subscribed_at: new Date(request.now),
        refused_at: null,
        kinds: body.kinds ?? [],
        receipt_hash,
      }
      const id = await register(tx, endpoint, columns)
      await dropOldest(tx, id, owner.id)
      return { id, ...once }
    },
  })
}

/** Tries to take a browser that another owner takes in the same moment; none is taken so often. */
const TRIES = 5

type Registered = Omit<typeof push_subscriptions.$inferInsert, 'id' | 'endpoint' | 'free_at'>

/**
 * Makes or renews the owner's row of a browser. Another owner's row of it goes, and its deliveries, which are that owner's
 * alerts; its id and its pause stay. A row is never given to another owner: it may lie in another database by then.
 * @returns the row's id
 */
async function register(tx: Queryable, endpoint: string, columns: Registered): Promise<string> {
  const { owner_id: owner, subscribed_at: free_at } = columns
  const isIt = eq(push_subscriptions.endpoint, endpoint)
  for (let tries = 0; tries < TRIES; tries++) {
    const [renewed] = await tx
      .update(push_subscriptions)
      .set(columns)
      .where(and(eq(push_subscriptions.owner_id, owner), isIt))
      .returning({ id: push_subscriptions.id })
    if (renewed !== undefined) return renewed.id
    const [taken] = await tx
      .delete(push_subscriptions)
      .where(and(ne(push_subscriptions.owner_id, owner), isIt))
      .returning({ id: push_subscriptions.id, free_at: push_subscriptions.free_at })
    // A transaction that takes the browser at the same moment is waited for here.
    const [made] = await tx
      .insert(push_subscriptions)
      .values({ endpoint, free_at, ...taken, ...columns })
      .onConflictDoNothing()
      .returning({ id: push_subscriptions.id })
    if (made !== undefined) return made.id
  }
  throw new Error('A subscription was neither made nor changed')
}

async function dropOldest(tx: Queryable, kept: string, owner: string): Promise<void> {
  const old = tx
    .select({ id: push_subscriptions.id })
    .from(push_subscriptions)
    .where(and(eq(push_subscriptions.owner_id, owner), ne(push_subscriptions.id, kept)))
    .orderBy(desc(push_subscriptions.subscribed_at))
    .offset(MAX_SUBSCRIPTIONS - 1)
    // A browser that is just moving to another owner is not waited for.
    .for('update', { skipLocked: true })
  await tx
    .delete(push_subscriptions)
    .where(and(eq(push_subscriptions.owner_id, owner), inArray(push_subscriptions.id, old)))
}

/** True for a point of P-256. Encryption for any other text of this length fails at each alert. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    // Not on the curve.
    return false
  }
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', 'The request is not valid.', { errors: [{ path, message }] })

/**
 * Sends nothing more to one of the caller's browsers. An unknown browser, or one that is another owner's by now, is left
 * alone silently: the caller learns nothing of others.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED
 */
export async function unsubscribe(
  { database }: Pick<ServiceDeps, 'database'>,
  request: ChangeRequest,
  endpoint: string,
): Promise<{ readonly replayed: boolean }> {
  const { href } = new URL(endpoint)
  // An owner who is not stored has no browser here, and is not stored for asking.
  if ((await findOwner(database.orm, request.caller)) === undefined) return { replayed: false }
  return changeOnce<void>(database, request, {
    forEver: false,
    raises: 'nothing',
    recall: async () => undefined,
    make: async (tx, owner) => {
      const mine = and(eq(push_subscriptions.owner_id, owner.id), eq(push_subscriptions.endpoint, href))
      await tx.delete(push_subscriptions).where(mine)
    },
  })
}
