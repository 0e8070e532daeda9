import { expect, test } from 'vitest'
import { saveCheckpoint } from '../../src/db/commands/default-checkpoint'
import { reorderWidgets, updateWidget } from '../../src/db/commands/widgets'
import { MINUTE } from '../../src/domain/granularity'
import { guestScene } from './support/guest-scene'
import type { Fate } from './support/tabs'

const { scene, shown, toldGuest, guestWithPairs } = guestScene()
const { context, board, sync, syncFor, addPair } = scene

/** A newer page upgrades the database while the n-th request of an older service worker's sync is under way. */
async function upgradedDuring(at: number): Promise<void> {
  await guestWithPairs()
  await addPair('dogecoin')
  const [first, second, third, fourth] = (await board()).widgets
  await updateWidget(context(), second!.id, { alerts: { low: { threshold: 2 } } })
  await saveCheckpoint(context(), first!.id, 5)
  await saveCheckpoint(context(), fourth!.id, 6)
  await reorderWidgets(context(), [third!.id, fourth!.id, first!.id, second!.id])
  const before = await shown()
  scene.later(MINUTE)
  let requests = 0
  let upgrades = 0
  scene.browser.setWay(async ({ path }, arrive): Promise<Fate> => {
    if (!path.startsWith('/widgets')) return 'arrives'
    if (++requests !== at) return 'arrives'
    await arrive()
    await scene.browser.upgrade()
    upgrades += 1
    return 'arrives'
  })
  await sync()
  await syncFor(5 * MINUTE)
  expect([upgrades, await toldGuest(), await shown(), (await board()).changes]).toEqual([1, before, before, []])
}

const TITLE = 'an upgrade of the database by a newer page during request %i of an older sync loses and doubles nothing'
test.each([3])(TITLE, upgradedDuring)
test.each([1, 2, 4, 5, 6, 7, 8])(TITLE, { tags: ['full'] }, upgradedDuring)
