import { expect, test } from 'vitest'
import { lazyPush } from '../../../../src/app/lazy-services'
import { catchReports } from '../../support/reports'

test('enabling push fails with a message while the push code cannot be loaded, and succeeds once the code is there', async () => {
  const reports = catchReports()
  let there = false
  const push = lazyPush(async () => {
    if (!there) throw new Error('No network.')
    return { enable: async () => ({ ok: true }), disable: async () => ({ ok: false, message: 'No.' }) }
  })
  expect(await push.enable()).toEqual({ ok: false, message: 'Error enabling push: No network.' })
  expect(reports).toHaveLength(1)
  there = true
  expect(await push.enable()).toEqual({ ok: true })
  expect(await push.disable()).toEqual({ ok: false, message: 'No.' })
})
