import { type AlertsAnswer, LARGEST_ALERTS_PAGE } from '../contract/alerts'
import type { Widget } from '../contract/widget'
import { acceptAlerts, noteAlertsPull } from '../db/answers/accept-alerts'
import { readOwnerSyncState } from '../db/answers/owner-sync-state'
import { ALERTS_KEPT_FOR, MAX_ALERTS } from '../db/commands/alerts'
import { readPushRegistration } from '../db/push-registration'
import type { AlertRow, AlertsPull } from '../db/rows'
import { noteServerTime, readClockAhead } from '../db/server-clock'
import { alertNotification } from '../domain/alert-notification'
import { HOUR } from '../domain/granularity'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { Answer } from './request'
import { isSpaced } from './pacing'
import type { EngineEnv } from './env'
import { endProblem, report } from './report'
import { sendAs } from './send-as'

/** Milliseconds after which the crossings are asked for although no widget shows one: its pair may have been removed. */
const ALERTS_SPACING = HOUR

const ALERTS_NOT_LOADED = 'Could not load your alerts.'

/**
 * Fingerprint of the crossings in a list of widgets: flags and epochs of the sides that were ever other than new.
 * A crossing disarms a side, and a ratio that is back begins another arming, so that each changes this.
 */
const epochsOf = (widgets: readonly Widget[]): string =>
  widgets
    .map(({ id, high_epoch, high_threshold_active: high, low_epoch, low_threshold_active: low }) =>
      high && low && high_epoch + low_epoch === 0
        ? ''
        : `${id} ${high_epoch}${high ? '+' : '-'}${low_epoch}${low ? '+' : '-'};`,
    )
    .join('')

/** Brings home what has fired or come back since the last time, where the widgets that were just pulled show any of it. */
export async function pullAlerts(env: EngineEnv, owner: OwnerId, widgets: readonly Widget[]): Promise<void> {
  const { db, now } = env
  const epochs = epochsOf(widgets)
  const last = (await readOwnerSyncState(db, owner)).alerts_pull ?? null
  // As it is before the pages: where they show that it has changed, the next pull brings all rows home by the new one.
  const ahead = await readClockAhead(db)
  if (!isAsked(last, epochs, owner, now())) {
    // From here on a crossing is news, also where its guest comes back to it long after.
    if (last === null)
      await noteAlertsPull(db, owner, { as_of: new Date(now() - ahead).toISOString(), epochs, ahead, at: null })
    return
  }

  const since = last !== null && last.ahead === ahead ? { since: last.as_of } : {}
  const news: AlertRow[] = []
  try {
    const as_of = await pullPages(env, owner, since, news)
    if (as_of === null) return
    await noteAlertsPull(db, owner, { as_of, epochs, ahead, at: now() })
    await report(env, 'alerts', { kind: 'ok' })
  } finally {
    // Claimed crossings are announced, also if a later page fails.
    await announce(env, news)
  }
}

function isAsked(last: AlertsPull | null, epochs: string, owner: OwnerId, now: number): boolean {
  // A new guest has nothing that this browser does not know.
  if (last === null || last.at === null) return epochs !== '' || !isAnonymousOwner(owner)
  return last.epochs !== epochs || isSpaced(last.at, ALERTS_SPACING, now)
}

/**
 * All pages, newest first, as far back as this device keeps crossings.
 * @param news is given what is to be announced
 * @returns the server's time of the first answer; null: they are not all home
 */
async function pullPages(
  env: EngineEnv,
  owner: OwnerId,
  since: { readonly since?: string },
  news: AlertRow[],
): Promise<string | null> {
  let begun: string | null = null
  for (let skip = 0, total = 1; skip < Math.min(total, MAX_ALERTS);) {
    const query = { ...since, skip: String(skip), limit: String(LARGEST_ALERTS_PAGE) }
    const answer = await sendAs(env, owner, { route: 'listAlerts', query })
    if (answer.kind !== 'ok') {
      await reportTrouble(env, answer, owner)
      return null
    }
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

async function reportTrouble(env: EngineEnv, answer: Exclude<Answer, { kind: 'ok' }>, owner: OwnerId): Promise<void> {
  switch (answer.kind) {
    case 'refused':
      // That a session is over is said by itself.
      if (answer.status === 401 && !isAnonymousOwner(owner)) return
      return report(env, 'alerts', { kind: 'failed', status: answer.status, sentence: ALERTS_NOT_LOADED })
    case 'unavailable':
      // A server of an earlier version lists none: this device goes on with what it sees itself.
      if (answer.error_code === 'NO_SUCH_ROUTE') return endProblem(env, 'alerts')
      return report(env, 'alerts', { kind: 'failed', status: answer.status, sentence: ALERTS_NOT_LOADED })
    case 'unchanged':
    case 'not-mine':
      return
  }
}

/** Notifications, where they are permitted and not switched off here; the toast is whoever's page is looked at. */
async function announce({ db, push, now }: EngineEnv, news: readonly AlertRow[]): Promise<void> {
  if (push === undefined || news.length === 0 || push.permission() !== 'granted') return
  if ((await readPushRegistration(db)).off) return
  await Promise.all(news.map((row) => push.show(alertNotification(row, now()))))
}
