import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DatabaseGate, databaseTroubleAtom } from '../../../src/app/database-gate'
import { watchDatabase } from '../../../src/app/open-local-database'
import { LocalDatabase } from '../../../src/db/database'
import { startLocalApp } from '../support/local-app'

async function start() {
  const app = await startLocalApp()
  watchDatabase(app.db, app.store)
  app.render(
    <DatabaseGate>
      <p>pairs</p>
    </DatabaseGate>,
  )
  return app
}

class NextVersion extends LocalDatabase {
  constructor(name: string) {
    super(name)
    this.version(99).stores({})
  }
}

test('the app is shown while its database can be used', async () => {
  await start()
  expect(screen.getByText('pairs')).toBeTruthy()
})

test('a tab closes the database when another tab brings a newer version, and asks to be reloaded', async () => {
  const app = await start()
  const next = new NextVersion(app.db.name)
  await next.open()
  next.close()
  await screen.findByRole('heading', { name: 'The app was updated in another tab' })
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(screen.queryByText('pairs')).toBeNull()
  await expect(app.db.session.count()).rejects.toThrow()
})

test('a tab with a newer version waits for an older tab to close the database, then shows the app', async () => {
  const old = await startLocalApp()
  const next = new NextVersion(old.db.name)
  watchDatabase(next, old.store)
  old.db.on('versionchange', () => false)
  old.render(<DatabaseGate>pairs</DatabaseGate>)
  const opening = next.open()
  await screen.findByRole('heading', { name: 'Another tab still runs the old version' })
  old.db.close()
  await opening
  await waitFor(() => expect(screen.queryByRole('heading')).toBeNull())
  next.close()
})

test('a connection that the browser closed while the app was suspended is opened again, and the app stays', async () => {
  const app = await start()
  app.db.close({ disableAutoOpen: false })
  app.db.on.close.fire(new Event('close'))
  await waitFor(() => expect(app.db.isOpen()).toBe(true))
  expect(app.store.get(databaseTroubleAtom)).toBeNull()
  expect(screen.getByText('pairs')).toBeTruthy()
})

test('a closed database that cannot be opened again is said to be closed', async () => {
  const app = await start()
  app.db.close({ disableAutoOpen: false })
  vi.spyOn(app.db, 'open').mockRejectedValue(new Error('gone'))
  app.db.on.close.fire(new Event('close'))
  await waitFor(() => expect(app.store.get(databaseTroubleAtom)).toEqual({ kind: 'closed' }))
})

test('the app explains that the browser does not let it store anything, with the technical reason', async () => {
  const app = await start()
  app.store.set(databaseTroubleAtom, { kind: 'unusable', reason: 'InvalidStateError' })
  await screen.findByRole('heading', { name: 'This browser does not let the app store anything' })
  expect(screen.getByText('InvalidStateError')).toBeTruthy()
})
