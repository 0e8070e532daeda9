import { afterEach, beforeEach, vi } from 'vitest'
import { setExtremes } from '../../../src/db/commands/alert-settings'
import { createEngine, type Engine } from '../../../src/sync/engine'
import { pushDevice } from '../../../src/sync/push/device'
import { oneTab } from './one-tab'
import { type FakePush, fakePush } from './push-manager'

/** A guest's page with BTC / ETH, extremes switched on and notifications allowed; anew for each test of a file. */
export function notifiedPage() {
  const scene = oneTab()
  let push: FakePush
  let engine: Engine
  beforeEach(async () => {
    vi.stubGlobal('Notification', { permission: 'granted' })
    push = fakePush()
    engine = createEngine({ ...scene.tab.env, push: pushDevice(push.registration) })
    await scene.addPair('ethereum')
    await engine.sync('start')
    await setExtremes(scene.tab.context, true)
    await engine.sync('command')
  })
  afterEach(() => scene.server.reset())
  return {
    scene,
    get push() {
      return push
    },
    get engine() {
      return engine
    },
  }
}
