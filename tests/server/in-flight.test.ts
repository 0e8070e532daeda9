import { expect, test } from 'vitest'
import { keepInFlight } from '../../server/services/push/in-flight'

test('work that fills all places, and then ends all at once, is followed by what is left', async () => {
  const left = Array.from({ length: 7 }, (_, i) => i)
  const ends: (() => void)[] = []
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  await keepInFlight(3, 5, {
    take: async (most) => {
      const some = left.splice(0, most)
      if (some.length === 0) setTimeout(endAll, 1)
      return some
    },
    send: () => new Promise((resolve) => ends.push(resolve)),
  })
  expect(left).toEqual([])
})
