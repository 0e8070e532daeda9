import { expect, test } from 'vitest'
import { syncStatus } from '../../src/domain/sync-status'

const NOW = new Date(2026, 10, 21, 12).getTime()
const change = (state: string, since: number) => ({ state, since })
const answering = { unreachable_since: null }
const status = (facts: Partial<Parameters<typeof syncStatus>[0]>) =>
  syncStatus({ online: true, sync: undefined, changes: [], now: NOW, ...facts })

test('the sync status line is empty while all is well', () => {
  expect(status({})).toEqual({ offline: false, waiting: null, refused: null })
  expect(status({ sync: answering })).toEqual({ offline: false, waiting: null, refused: null })
})

test('the sync status line is offline without a network, and while the server does not answer', () => {
  expect(status({ online: false }).offline).toBe(true)
  expect(status({ sync: { ...answering, unreachable_since: NOW - 1 } }).offline).toBe(true)
})

test('the sync status line is not offline while the server answers, even with errors', () => {
  expect(status({ sync: answering }).offline).toBe(false)
})

test('the sync status line counts waiting changes, one or many, since the oldest of them', () => {
  const changes = [change('waiting', new Date(2026, 10, 21, 10, 42).getTime())]
  expect(status({ online: false, changes }).waiting).toBe('1 change waits since 10:42')
  changes.push(change('sending', NOW), change('unknown-version', NOW))
  expect(status({ online: false, changes }).waiting).toBe('3 changes wait since 10:42')
})

test('the sync status line names the day of a waiting change that is not of today', () => {
  const changes = [change('waiting', new Date(2026, 10, 19, 10, 42).getTime())]
  expect(status({ online: false, changes }).waiting).toMatch(/^1 change waits since .*19.*10:42$/)
})

test('the sync status line omits a change in its first seconds of sending, but none that waits offline', () => {
  expect(status({ changes: [change('sending', NOW - 5_000)] }).waiting).toBeNull()
  expect(status({ changes: [change('sending', NOW - 11_000)] }).waiting).not.toBeNull()
  expect(status({ changes: [change('waiting', NOW)], online: false }).waiting).not.toBeNull()
})

test('the sync status line counts refused changes apart from waiting ones', () => {
  const changes = [change('failed', NOW), change('waiting', NOW)]
  expect(status({ online: false, changes })).toMatchObject({ refused: '1 change was refused' })
  expect(status({ online: false, changes }).waiting).toMatch(/^1 change waits/)
  expect(status({ changes: [...changes, change('failed', NOW)] }).refused).toBe('2 changes were refused')
})

test('the sync status line counts the seconds of a change that can be undone from the end of its hold, but none offline', () => {
  const changes = [{ ...change('waiting', NOW - 15_000), heldUntil: NOW - 4_000 }]
  expect(status({ changes }).waiting).toBeNull()
  expect(status({ changes, online: false }).waiting).not.toBeNull()
})
