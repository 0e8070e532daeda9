import { type AlertsAnswer, LARGEST_ALERTS_PAGE } from '../contract/alerts'
import type { Widget } from '../contract/widget'
import { acceptAlerts, noteAlertsPull } from '../db/answers/accept-alerts'
import { readOwnerSyncState } from '../db/owner-sync-state'
import { alertRowsOf, ALERTS_KEPT_FOR, MAX_ALERTS } from '../db/alert-rows'
import type { LocalDatabase } from '../db/database'
import { readPushRegistration } from '../db/push-registration'
import type { AlertRow, AlertsPull } from '../db/rows'
import { hasFeature } from '../db/database'
import { noteServerTime, readClockAhead } from '../db/server-clock'
import { alertNotification, digestNotification, MOST_ALONE } from '../domain/alert-notification'
import { DAY, HOUR, MINUTE } from '../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { EngineEnv } from './env'
import { isSpaced } from './pacing'
import { readKinds } from './known-kinds'
import { endProblem, report } from './report'
import { type Answer, sendAs } from './request'

export type Problem = Extract<Answer, { kind: 'refused' | 'unavailable' }>

/** The end of a session is no problem here: the page shows it by itself. */
export const isProblem = (answer: Answer, owner: OwnerId): answer is Problem =>
  answer.kind === 'unavailable' || (answer.kind === 'refused' && (answer.status !== 401 || isAnonymousOwner(owner)))

/** Milliseconds after which crossings are asked for although no widget shows one: its pair may have been removed. */
const ALERTS_SPACING = HOUR

const ALERTS_NOT_LOADED = 'Could not load your alerts.'

/**
 * Fingerprint of the crossings in a list of widgets: flags and epochs of the sides and rules that were ever other than new. A
 * crossing disarms a side, and a ratio that is back begins the next epoch; each changes the fingerprint.
 */
const epochsOf = (widgets: readonly Widget[]): string =>
  widgets
    .map(({ id, high_epoch, high_threshold_active: high, low_epoch, low_threshold_active: low, rules = [] }) => {
      const others = rules
        .map(({ epoch, armed }) => (armed && epoch === 0 ? '' : `${epoch}${armed ? '+' : '-'}`))
        .join('')
      return high && low && high_epoch + low_epoch === 0 && others === ''
        ? ''
        : `${id} ${high_epoch}${high ? '+' : '-'}${low_epoch}${low ? '+' : '-'}${others};`
    })
    .join('')

/**
 * Pulls the crossings that fired, came back or were delivered since the last time, if the widgets show any, or if the user is back
 * and deliveries were open.
 * @param widgets as the server has just sent or confirmed them
 * @param isBack the user is back
 * @returns why some are missing; null: none are, or they cannot be had
 */
export async function pullAlerts(
  env: EngineEnv,
  owner: OwnerId,
  widgets: readonly Widget[],
  isBack: boolean,
): Promise<Problem | null> {
  const { db, now } = env
  const epochs = epochsOf(widgets)
  const { alerts_pull, alert_settings } = await readOwnerSyncState(db, owner)
  const last = alerts_pull ?? null
  // Read before the pages: if they show another value, the next pull stores all rows again by it.
  const ahead = await readClockAhead(db)
  // No widget shows that its pair has come to an extreme.
  const isAskedFor =
    isAsked(last, epochs, owner, now()) || (isBack && (await hasOpenDeliveries(db, owner, last, now())))
  if (alert_settings?.extremes !== true && !isAskedFor) {
    // From here on a crossing is new, even if its guest comes back long after.
    if (last === null)
      await noteAlertsPull(db, owner, { as_of: new Date(now() - ahead).toISOString(), epochs, ahead, at: null })
    return null
  }

  const since = last !== null && last.ahead === ahead ? { since: last.as_of } : {}
  const news: AlertRow[] = []
  try {
    const pulled = await pullPages(env, owner, since, news)
    if (typeof pulled !== 'string') return pulled
    await noteAlertsPull(db, owner, { as_of: pulled, epochs, ahead, at: now() })
    await report(env, 'alerts', { kind: 'ok' })
    return null
  } finally {
    // Claimed crossings are announced even if a later page fails.
    await announce(env, news)
  }
}

function isAsked(last: AlertsPull | null, epochs: string, owner: OwnerId, now: number): boolean {
  // A new guest has nothing that this browser does not know.
  if (last === null || last.at === null) return epochs !== '' || !isAnonymousOwner(owner)
  return last.epochs !== epochs || isSpaced(last.at, ALERTS_SPACING, now)
}

/** Milliseconds after a crossing in which a browser shows it. */
const SHOWN_WITHIN = 15 * MINUTE
/** Milliseconds after a crossing in which its deliveries end. */
const DELIVERED_WITHIN = 3 * DAY

/** True if the server may know more by now of how crossings were delivered. */
async function hasOpenDeliveries(
  db: LocalDatabase,
  owner: OwnerId,
  last: AlertsPull | null,
  now: number,
): Promise<boolean> {
  const pulledAt = last?.at
  if (pulledAt == null) return false
  const recent = await alertRowsOf(db, owner, now)
    .and(({ at }) => at > now - DELIVERED_WITHIN)
    .toArray()
  return recent.some(
    ({ at, deliveries = [] }) =>
      at > pulledAt - SHOWN_WITHIN || deliveries.some(({ state }) => state === 'waiting' || state === 'held'),
  )
}

/**
 * Stores all pages, newest first, as far back as this device keeps crossings.
 * @param news receives the crossings to announce
 * @returns the server's time of the first answer, or why some are missing; null: they cannot be had
 */
async function pullPages(
  env: EngineEnv,
  owner: OwnerId,
  since: { readonly since?: string },
  news: AlertRow[],
): Promise<string | Problem | null> {
  let begun: string | null = null
  const kinds = (await readKinds(env.db))?.join(',')
  for (let skip = 0, total = 1; skip < Math.min(total, MAX_ALERTS);) {
    const query = {
      ...since,
      ...(kinds !== undefined && { kinds }),
      skip: String(skip),
      limit: String(LARGEST_ALERTS_PAGE),
    }
    const answer = await sendAs(env, owner, { route: 'listAlerts', query })
    if (answer.kind !== 'ok') return isProblem(answer, owner) ? reportMissingAlerts(env, answer) : null
    const page = answer.value as AlertsAnswer
    await noteServerTime(env.db, Date.parse(page.as_of), env.now())
    const announced = await acceptAlerts(env.db, owner, page, env.now())
    if (announced === null) return null
    news.push(...announced)
    begun ??= page.as_of
    const oldest = page.alerts.at(-1)
    if (oldest === undefined || Date.parse(oldest.crossed_at) < Date.parse(page.as_of) - ALERTS_KEPT_FOR) break
    skip += page.alerts.length
    total = answer.total ?? 0
  }
  return begun
}

/** @returns the problem; null: a server of an earlier version lists none, and this device goes on without them */
async function reportMissingAlerts(env: EngineEnv, problem: Problem): Promise<Problem | null> {
  const isMissingRoute = problem.error_code === 'NO_SUCH_ROUTE'
  if (isMissingRoute) await endProblem(env, 'alerts')
  else await report(env, 'alerts', { kind: 'failed', status: problem.status, sentence: ALERTS_NOT_LOADED })
  return isMissingRoute ? null : problem
}

/** Alerts that a notification lists. */
const LISTED = 10

/** Shows notifications where they are permitted and not switched off here; a visible page adds its toast. */
async function announce({ db, push, now }: EngineEnv, news: readonly AlertRow[]): Promise<void> {
  if (push === undefined || news.length === 0 || push.permission() !== 'granted') return
  if ((await readPushRegistration(db)).off) return
  const canSnooze = await hasFeature(db, 'snooze')
  const shown =
    news.length > MOST_ALONE
      ? [digestNotification(news.toSorted((a, b) => a.at - b.at).slice(-LISTED), news.length)]
      : news.map((row) => alertNotification(row, now(), false, canSnooze))
  await Promise.all(shown.map(push.show))
}
