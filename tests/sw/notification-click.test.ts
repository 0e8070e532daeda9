import { Dexie } from 'dexie'
import { expect, test, vi } from 'vitest'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { type AlertData, type DigestData, REARM_LATER } from '../../src/domain/alert-notification'
import { HOUR } from '../../src/domain/granularity'
import { readPageRequest, SHOWN } from '../../src/sync/protocol'
import { showBadge, withBadge } from '../../src/sync/push/badge'
import { isAppVisible, onNotificationClick, onNotificationClose } from '../../src/sync/push/on-notification-click'
import { alertRow, presentOwner } from '../db/support/alerts'
import { NOW } from '../db/support/entries'
import { userContext } from '../db/support/people'

interface Window {
  readonly path: string
  readonly visible?: boolean
  readonly focused?: boolean
  readonly nested?: boolean
  /** Whether its page has loaded what listens. */
  readonly listens?: boolean
  /** The browser does not let it come to the front. */
  readonly stubborn?: boolean
  /** It was left for another address meanwhile: what a browser does then. */
  readonly gone?: 'rejects' | 'null'
}

/** A browser's windows, and in order what is done to them. */
function browserWith(windows: readonly Window[]) {
  const done: string[] = []
  const client = ({
    path,
    visible = false,
    focused = false,
    nested = false,
    listens = true,
    stubborn = false,
    gone,
  }: Window) => ({
    url: `https://app.example${path}`,
    frameType: nested ? 'nested' : 'top-level',
    visibilityState: visible ? 'visible' : 'hidden',
    focused,
    focus: async () => {
      if (stubborn) throw new Error('Not allowed to focus a window.')
      done.push(`focus ${path}`)
    },
    async navigate(to: string) {
      if (gone === 'rejects') throw new TypeError('The client is gone.')
      if (gone === 'null') return null
      done.push(`navigate ${path} to ${to}`)
      return {}
    },
    postMessage(data: unknown, [port]: [MessagePort]) {
      const request = readPageRequest(structuredClone(data))
      if (!listens || request === null) return
      done.push(`${path} shows ${request.widget}`)
      port.postMessage(SHOWN)
    },
  })
  const clients = {
    matchAll: async () => windows.map(client),
    openWindow: async (to: string) => void done.push(`open ${to}`),
  } as unknown as Parameters<typeof isAppVisible>[0]
  return { clients, done }
}

async function scene(windows: readonly Window[]) {
  const context = await userContext(false)
  const { db } = context
  const alert = alertRow(await presentOwner(context))
  await db.alerts.put(alert)
  const { clients, done } = browserWith(windows)
  const snoozed: unknown[] = []
  const snooze = async (...change: unknown[]) => void snoozed.push(change)
  const ports = { db, clients, now: () => NOW + 1, snooze }
  const click = (action = '', data: AlertData | DigestData | null = alert) => onNotificationClick(ports, action, data)
  const close = () => onNotificationClose(ports, alert)
  return { context, db, alert, clients, done, close, click, snoozed, row: () => db.alerts.get(alert.event_id) }
}

test('a notification click opens the chart in a new window when no window is open', async () => {
  const { click, done, alert, row } = await scene([])
  await click()
  expect(done).toEqual([`open /chart/${alert.widget_id}`])
  expect(await row()).toMatchObject({ seen_at: NOW + 1, toasted: true, rearm_later: false })
})

test('a notification click focuses the open window and shows the chart there without loading the page again', async () => {
  const { click, done, alert } = await scene([{ path: '/status' }])
  await click('open-chart')
  expect(done).toEqual(['focus /status', `/status shows ${alert.widget_id}`])
})

test('a notification click takes the focused or else a visible window of the app, never the sandbox mailbox or a frame', async () => {
  const other = [{ path: '/sandbox/mails', visible: true, focused: true }, { path: '/', nested: true }, { path: '/a' }]
  const visible = await scene([...other, { path: '/b', visible: true }, { path: '/c', visible: true, focused: true }])
  await visible.click()
  expect(visible.done[0]).toBe('focus /c')
  const hidden = await scene([...other, { path: '/b', visible: true }])
  await hidden.click()
  expect(hidden.done[0]).toBe('focus /b')
  const none = await scene(other.slice(0, 2))
  await none.click()
  expect(none.done).toEqual([expect.stringContaining('open /chart/')])
})

test('a notification click navigates a page that does not answer to the chart’s address', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { click, done, alert } = await scene([{ path: '/', listens: false }])
  const clicked = click()
  await vi.waitFor(() => expect(done).toEqual(['focus /']))
  await vi.advanceTimersByTimeAsync(2_000)
  await clicked
  expect(done).toEqual(['focus /', `navigate / to /chart/${alert.widget_id}`])
})

test.each(['rejects', 'null'] as const)('a notification click replaces a window that is gone: %s', async (gone) => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { click, done, alert } = await scene([{ path: '/', listens: false, gone }])
  const clicked = click()
  await vi.waitFor(() => expect(done).toEqual(['focus /']))
  await vi.advanceTimersByTimeAsync(2_000)
  await clicked
  expect(done).toEqual(['focus /', `open /chart/${alert.widget_id}`])
  expect(reported).toHaveBeenCalledTimes(gone === 'rejects' ? 1 : 0)
})

test('a notification click of another user’s alert brings the app to the front and shows no chart', async () => {
  const over = await scene([{ path: '/status' }])
  // Their alerts stay until they are back.
  await leaveExpiredSession(over.context, over.alert.owner)
  await over.click()
  expect(over.done).toEqual(['focus /status'])
  const { context, click, done } = await scene([{ path: '/status' }])
  await logOut(context)
  await click()
  expect(done).toEqual(['focus /status'])
  const closed = await scene([])
  await closed.click('', null)
  expect(closed.done).toEqual(['open /'])
})

test('a click on a list of alerts opens the list, and on an alert of a way the settings, where the ways are', async () => {
  const { click, done, alert, row } = await scene([{ path: '/status' }])
  const list = { owner: alert.owner, event_ids: [alert.event_id] }
  await click('', list)
  await click('', { ...list, path: '/settings' })
  expect(done).toEqual([
    'focus /status',
    'navigate /status to /alerts',
    'focus /status',
    'navigate /status to /settings',
  ])
  expect(await row()).toMatchObject({ seen_at: NOW + 1 })
})

test('the notification action "Re-arm later" opens nothing and is stored with the alert', async () => {
  const { click, done, row } = await scene([{ path: '/' }])
  await click(REARM_LATER)
  expect(done).toEqual([])
  expect(await row()).toMatchObject({ seen_at: NOW + 1, rearm_later: true })
})

test.each([
  ['snooze-hour', { until: NOW + 1 + HOUR, untilBack: false }],
  ['snooze-back', { until: NOW + 1 + 7 * 24 * HOUR, untilBack: true }],
])(
  'the notification action "%s" snoozes the alert’s pair, opens nothing, and counts the alert as seen',
  async (action, change) => {
    const { click, done, row, snoozed, alert } = await scene([{ path: '/' }])
    await click(action)
    expect([snoozed, done]).toEqual([[[alert.widget_id, change]], []])
    expect(await row()).toMatchObject({ seen_at: NOW + 1, toasted: true })
  },
)

test('closing a notification marks its alert as seen and opens nothing', async () => {
  const { close, done, row } = await scene([{ path: '/' }])
  await close()
  expect(done).toEqual([])
  expect(await row()).toMatchObject({ seen_at: NOW + 1, toasted: true, rearm_later: false })
})

test.each([
  ['is closed', 0],
  ['never opens', 500],
])('a notification click opens the chart also while the local database %s', async (_, wait) => {
  vi.stubGlobal('reportError', vi.fn())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { db, click, done, alert } = await scene([])
  if (wait === 0) db.close({ disableAutoOpen: true })
  else vi.spyOn(db.session, 'get').mockImplementation(() => new Dexie.Promise(() => undefined))
  const clicked = click().catch(() => undefined)
  await vi.advanceTimersByTimeAsync(wait)
  await vi.waitFor(() => expect(done).toEqual([`open /chart/${alert.widget_id}`]))
  await clicked
})

test('a window that the browser does not bring to the front shows the clicked alert’s chart all the same', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const { click, done, alert } = await scene([{ path: '/', stubborn: true }])
  await click()
  expect(done).toEqual([`/ shows ${alert.widget_id}`])
  expect(reported).toHaveBeenCalledOnce()
})

const icon = () => {
  const counts: (number | 'none')[] = []
  return {
    counts,
    badge: {
      setAppBadge: async (count?: number) => void counts.push(count ?? -1),
      clearAppBadge: async () => void counts.push('none'),
    },
  }
}

test('the app badge shows the number of unseen alerts, and nothing while the app is visible', async () => {
  const { db, click, clients } = await scene([{ path: '/' }])
  const { counts, badge } = icon()
  await showBadge(db, badge, await isAppVisible(clients))
  await showBadge(db, badge, await isAppVisible(browserWith([{ path: '/', visible: true }]).clients))
  await showBadge(db, badge, await isAppVisible(browserWith([{ path: '/sandbox', visible: true }]).clients))
  await click(REARM_LATER)
  await showBadge(db, badge, false)
  expect(counts).toEqual([1, 'none', 1, 'none'])
  // A browser without badges.
  await showBadge(db, {}, false)
})

test('the app badge is brought up to date when a notification was clicked or put away', async () => {
  const { db, clients, click, close } = await scene([{ path: '/' }])
  const { counts, badge } = icon()
  await withBadge({ db, clients, badge }, click(REARM_LATER))
  expect(counts).toEqual(['none'])
  await withBadge({ db, clients, badge }, close())
  expect(counts).toEqual(['none', 'none'])
})

test('a click on a notification that lists alerts leads to their page, in the open window or a new one, and puts them away', async () => {
  const [open, closed] = [await scene([{ path: '/status' }]), await scene([])]
  for (const { click, alert } of [open, closed]) await click('', { owner: alert.owner, event_ids: [alert.event_id] })
  expect([open.done, closed.done]).toEqual([['focus /status', 'navigate /status to /alerts'], ['open /alerts']])
  expect(await open.row()).toMatchObject({ seen_at: NOW + 1, toasted: true })
})
