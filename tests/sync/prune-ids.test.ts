import { expect, test } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { oneTab } from './support/one-tab'

const scene = oneTab()

test('the engine looks for unused temporary ids once a day, and forgets them after 30 days', async () => {
  const { db, engine } = scene.tab
  const known = () => db.ids.get('temp-gone')
  await db.ids.put({ temp: 'temp-gone', real: 'gone', owner: scene.browser.guest })
  await engine.sync('start')
  const found = (await known())!.unused_since!
  await db.ids.put({ temp: 'temp-gone', real: 'gone', owner: scene.browser.guest })
  scene.later(DAY - 1)
  await engine.sync('start')
  expect((await known())!.unused_since).toBeUndefined()
  scene.later(1)
  await engine.sync('start')
  expect((await known())!.unused_since).toBe(found + DAY)
  scene.later(30 * DAY)
  await engine.sync('start')
  expect(await known()).toBeUndefined()
})
