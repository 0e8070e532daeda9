import { and, asc, eq, lt } from 'drizzle-orm'
import type { ChangedChannel, Channel, NewChannel } from '../../../src/contract/channels'
import { DAY } from '../../../src/domain/granularity'
import type { Queryable } from '../../db/open'
import { alert_channels } from '../../db/schema/channels'
import { users } from '../../db/schema/users'
import { ApiError } from '../../http/api-error'
import { accountOfUser, requireVerified } from '../accounts/account'
import { attemptAt, countAttempt } from '../attempts'
import { requestMail } from '../mail/queued-mail'
import { type Changed, changeOnce, type ChangeRequest } from '../operations'
import { type Caller, findOwner, type Owner, requireUser, withOwnerLock } from '../owners'
import { newSecret } from '../secrets'
import type { ServiceDeps } from '../service-deps'
import { newChatLink } from './link-chats'
import { forgetWaiting } from './record-message'
import type { ChannelSender, Sent } from './send'
import { newSigningSecret, ntfyTopic, testMessage } from './webhook-message'

export interface OwnChannelsDeps extends Pick<ServiceDeps, 'database' | 'env' | 'clock'> {
  readonly ways: ChannelSender
}

type Row = typeof alert_channels.$inferSelect

/** More than anybody reads. */
const MAX_CHANNELS = 10
/** How long the secret before signs too, milliseconds. */
const BOTH_SIGN = DAY

/** A channel as its owner is told of it: neither secret nor address. */
function channelAnswer(row: Row, email: string | null): Channel {
  const { id, kind, preset, failing_since, last_success_at, last_failure_at: failedAt } = row
  return {
    id,
    kind,
    name: kind === 'email' ? email : row.name,
    ...(preset !== null && { preset }),
    state: row.state === 'on' && failing_since !== null ? 'failing' : row.state,
    failing_since: failing_since?.toISOString() ?? null,
    last_success_at: last_success_at?.toISOString() ?? null,
    last_failure: failedAt && { at: failedAt.toISOString(), reason: row.last_failure_reason ?? '' },
  }
}

const channelsOf = (db: Queryable, owner: Owner) =>
  db
    .select({ row: alert_channels, email: users.email })
    .from(alert_channels)
    .leftJoin(users, eq(users.id, alert_channels.owner_id))
    .where(eq(alert_channels.owner_id, owner.id))
    .orderBy(asc(alert_channels.created_at), asc(alert_channels.id))

/** @throws ApiError TOKEN_EXPIRED when the user's session has ended */
export async function listChannels({ database }: OwnChannelsDeps, caller: Caller): Promise<Channel[]> {
  const owner = await findOwner(database.orm, caller)
  if (owner === undefined) return []
  const rows = await channelsOf(database.orm, owner)
  return rows.map(({ row, email }) => channelAnswer(row, email))
}

/** @throws ApiError NOT_FOUND also where it is another owner's */
async function ownChannel(db: Queryable, owner: Owner, id: string): Promise<{ row: Row; answer: Channel }> {
  const found = (await channelsOf(db, owner)).find(({ row }) => row.id === id)
  if (found === undefined) throw new ApiError('NOT_FOUND', 'There is no such way to reach you.')
  return { row: found.row, answer: channelAnswer(found.row, found.email) }
}

const isOwn = (owner: Owner, id: string) => and(eq(alert_channels.owner_id, owner.id), eq(alert_channels.id, id))

const invalid = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', 'The request is not valid.', { errors: [{ path: `body.${path}`, message }] })

/**
 * Columns of a webhook's address.
 * @throws ApiError WEBHOOK_ADDRESS_REFUSED, VALIDATION_ERROR for ntfy without a topic
 */
async function webhookAddress(ways: ChannelSender, url: string, preset: Row['preset']) {
  if (preset === 'ntfy' && ntfyTopic(new URL(url)) === null) throw invalid('url', 'has no topic at its end')
  const reason = await ways.refusalOf(url)
  if (reason !== null)
    throw new ApiError(
      'WEBHOOK_ADDRESS_REFUSED',
      reason === 'NOT_ALLOWED'
        ? 'A webhook needs an https address.'
        : 'No server on the public internet was found at this address.',
      { reason },
    )
  return { url, preset, name: new URL(url).host }
}

/** Columns of a new channel, and what its first answer alone says. */
interface Begun {
  readonly columns: Pick<Row, 'kind' | 'state'> & Partial<typeof alert_channels.$inferInsert>
  readonly once: Pick<Channel, 'secret' | 'link'>
}

/** Asks others before the transaction: a name's addresses, the bot's name. */
async function begin({ ways }: OwnChannelsDeps, caller: Caller, asked: NewChannel, now: number): Promise<Begun> {
  switch (asked.kind) {
    case 'email':
      requireUser(caller)
      return { columns: { kind: 'email', state: 'on', secret: newSecret() }, once: {} }
    case 'webhook': {
      const { url, preset, bearer = null } = asked
      const secret = newSigningSecret()
      const address = await webhookAddress(ways, url, preset)
      return { columns: { kind: 'webhook', state: 'on', ...address, bearer, secret }, once: { secret } }
    }
    case 'telegram': {
      const { link, ...columns } = await newChatLink(ways.bot, now)
      return { columns: { kind: 'telegram', state: 'off', ...columns }, once: { link } }
    }
  }
}

/**
 * Adds a channel; a mail's is there once, and asked for again it is switched on. The value is null when a repetition finds
 * the channel gone.
 * @throws ApiError FORBIDDEN for a guest's mail, EMAIL_NOT_VERIFIED, WEBHOOK_ADDRESS_REFUSED, CHANNEL_LIMIT_REACHED,
 *   TELEGRAM_UNAVAILABLE, VALIDATION_ERROR, IDEMPOTENCY_KEY_REUSED
 */
export async function createChannel(
  deps: OwnChannelsDeps,
  request: ChangeRequest,
  asked: NewChannel,
): Promise<Changed<Channel | null>> {
  const { caller, op, now } = request
  // An ended session asks no stranger's server.
  await findOwner(deps.database.orm, caller)
  const { columns, once } = await begin(deps, caller, asked, now)
  const at = new Date(now)
  return changeOnce<Channel | null>(deps.database, request, {
    forEver: false,
    raises: 'nothing',
    recall: async (tx, owner) => {
      const found = (await channelsOf(tx, owner)).find(({ row }) => row.created_by_op === op)
      return found === undefined ? null : channelAnswer(found.row, found.email)
    },
    make: async (tx, owner) => {
      if (asked.kind === 'email') requireVerified(await accountOfUser(tx, owner.id))
      const theirs = eq(alert_channels.owner_id, owner.id)
      await tx.delete(alert_channels).where(and(theirs, lt(alert_channels.link_expires_at, at)))
      const there = await channelsOf(tx, owner)
      const mail = asked.kind === 'email' ? there.find(({ row }) => row.kind === 'email') : undefined
      if (mail !== undefined) {
        await tx
          .update(alert_channels)
          .set({ state: 'on', failing_since: null, created_by_op: op })
          .where(isOwn(owner, mail.row.id))
        return (await ownChannel(tx, owner, mail.row.id)).answer
      }
      if (there.length >= MAX_CHANNELS)
        throw new ApiError('CHANNEL_LIMIT_REACHED', `There are ${MAX_CHANNELS} ways to reach you already.`)
      const [made] = await tx
        .insert(alert_channels)
        .values({ ...columns, owner_id: owner.id, created_by_op: op, created_at: at, free_at: at })
        .returning({ id: alert_channels.id })
      if (made === undefined) throw new Error('A channel was not made')
      return { ...(await ownChannel(tx, owner, made.id)).answer, ...once }
    },
  })
}

/** @throws ApiError NOT_FOUND, WEBHOOK_ADDRESS_REFUSED, VALIDATION_ERROR, IDEMPOTENCY_KEY_REUSED */
export async function updateChannel(
  { database, ways }: OwnChannelsDeps,
  request: ChangeRequest,
  id: string,
  change: ChangedChannel,
): Promise<Changed<Channel | null>> {
  const { url, preset, bearer, state } = change
  const present = await findOwner(database.orm, request.caller)
  const before = present && (await channelsOf(database.orm, present)).find(({ row }) => row.id === id)?.row
  const isWebhook = before?.kind === 'webhook'
  if (before !== undefined && !isWebhook && (url ?? preset ?? bearer) !== undefined)
    throw invalid('url', 'only a webhook has an address')
  const address =
    isWebhook && (url ?? preset) !== undefined
      ? await webhookAddress(ways, url ?? before.url ?? '', preset ?? before.preset)
      : {}
  return changeOnce<Channel | null>(database, request, {
    forEver: false,
    raises: 'nothing',
    recall: async (tx, owner) => {
      const found = (await channelsOf(tx, owner)).find(({ row }) => row.id === id)
      return found === undefined ? null : channelAnswer(found.row, found.email)
    },
    make: async (tx, owner) => {
      const { row } = await ownChannel(tx, owner, id)
      if (state === 'on' && row.kind === 'telegram' && row.chat_id === null)
        throw invalid('state', 'no chat has opened the link yet')
      const began = state === 'on' && row.state !== 'on'
      const set = {
        ...address,
        ...(bearer !== undefined && { bearer }),
        ...(state !== undefined && { state }),
        // A chat that is confirmed keeps; what failed before it was off says nothing of it now.
        ...(began && { failing_since: null, link_hash: null, link_expires_at: null }),
      }
      if (Object.keys(set).length > 0) await tx.update(alert_channels).set(set).where(isOwn(owner, id))
      if (state === 'off') await forgetWaiting(tx, [id], request.now)
      return (await ownChannel(tx, owner, id)).answer
    },
  })
}

/** @throws ApiError NOT_FOUND, IDEMPOTENCY_KEY_REUSED */
export const deleteChannel = (
  { database }: OwnChannelsDeps,
  request: ChangeRequest,
  id: string,
): Promise<Changed<void>> =>
  changeOnce<void>(database, request, {
    forEver: false,
    raises: 'nothing',
    recall: async () => undefined,
    make: async (tx, owner) => {
      await ownChannel(tx, owner, id)
      await tx.delete(alert_channels).where(isOwn(owner, id))
    },
  })

/**
 * Sends a test at once, or puts it into the queue of mails. A failure is noted, and no reason to switch the channel off.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a chat that is not linked; TooManyAttempts
 */
export async function testChannel(deps: OwnChannelsDeps, caller: Caller, id: string): Promise<Channel> {
  const { database, env, clock, ways } = deps
  const { orm } = database
  const owner = await findOwner(orm, caller)
  if (owner === undefined) throw new ApiError('NOT_FOUND', 'There is no such way to reach you.')
  const { row, answer } = await ownChannel(orm, owner, id)
  if (row.kind === 'telegram' && row.chat_id === null) throw invalid('state', 'no chat has opened the link yet')
  await countAttempt(orm, attemptAt('channel-test', { owner: owner.id }, env), clock())
  if (row.kind === 'email') {
    await requestMail(orm, { kind: 'alerts-test', email: answer.name ?? '' }, clock())
    return answer
  }
  const sent = await ways.send(row, testMessage(env.PUBLIC_URL, clock()))
  await orm
    .update(alert_channels)
    .set(noteOf(sent, new Date(clock())))
    .where(isOwn(owner, id))
  return (await ownChannel(orm, owner, id)).answer
}

const noteOf = (sent: Sent, at: Date) =>
  sent.kind === 'sent'
    ? { last_success_at: at, failing_since: null }
    : { last_failure_at: at, last_failure_reason: sent.reason }

/**
 * Gives a webhook another secret. Rotated again within a day, the secret from before the first time goes on signing: an answer
 * that was lost takes no receiver its signature.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR where nothing is signed
 */
export function rotateSecret({ database, clock }: OwnChannelsDeps, caller: Caller, id: string): Promise<Channel> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, owner) => {
    const { row, answer } = await ownChannel(tx, owner, id)
    if (row.kind !== 'webhook') throw invalid('kind', 'only a webhook is signed')
    const secret = newSigningSecret()
    const stillBoth = row.previous_until !== null && row.previous_until.getTime() > now
    await tx
      .update(alert_channels)
      .set({
        secret,
        ...(!stillBoth && { previous_secret: row.secret, previous_until: new Date(now + BOTH_SIGN) }),
      })
      .where(isOwn(owner, id))
    return { ...answer, secret }
  })
}
