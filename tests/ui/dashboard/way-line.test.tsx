import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { WayLine } from '../../../src/features/dashboard/way-line'
import { alertRow } from '../../db/support/alerts'
import { signIn, startLocalApp } from '../support/local-app'

test('the board names the way, other than this browser, that no longer reaches its user until that is over, or dismissed on this device', async () => {
  const app = await startLocalApp()
  await signIn(app)
  const { owner } = (await app.db.session.get('current'))!
  const note = (epoch: number, change: object = {}) =>
    app.db.alerts.put({
      ...alertRow(owner, { epoch, at: epoch, kind: 'device_silent', note: 'Chrome on Android' }),
      ...change,
    })
  await app.db.alerts.put(alertRow(owner, { at: 9 }))
  app.render(<WayLine />)
  await note(1)
  const line = 'Chrome on Android has not shown the last 3 alerts'
  await screen.findByText(line)
  expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings')
  await note(1, { back_at: 2 })
  await waitFor(() => expect(screen.queryByText(line)).toBeNull())
  const registered = {
    owner,
    subscription: { endpoint: '', expirationTime: null, keys: { p256dh: '', auth: '' } },
    id: 'me',
  }
  await writeMeta(app.db, 'push', { registered, off: false, stale: [], deferred: null })
  await note(4, { event_id: 'rule:me:4' })
  expect(screen.queryByText(line), 'this browser itself').toBeNull()
  await note(3)
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByText(line)).toBeNull())
})
