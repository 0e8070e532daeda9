import { expect, test } from 'vitest'
import { inHashingTurn } from '../../server/services/accounts/hashing-turns'
import { TooManyAttempts } from '../../server/too-many-attempts'

/** Work that ends when it is told to. */
function open() {
  const ends: (() => void)[] = []
  let [underWay, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, (underWay += 1))
    await new Promise<void>((resolve) => ends.push(resolve))
    underWay -= 1
  }
  return { work, end: () => ends.shift()?.(), most: () => most }
}
const aMoment = () => new Promise<void>((resolve) => setImmediate(resolve))

test('the password hash queue runs two hashes at once, queues a hundred in order, and refuses the next one', async () => {
  const { work, end, most } = open()
  const done: number[] = []
  const all = Array.from({ length: 102 }, async (_, i) => {
    await inHashingTurn(work)
    done.push(i)
  })
  await expect(inHashingTurn(work)).rejects.toBeInstanceOf(TooManyAttempts)
  while (done.length < 102) {
    end()
    await aMoment()
  }
  await Promise.all(all)
  expect(most()).toBe(2)
  expect(done).toEqual(Array.from({ length: 102 }, (_, i) => i))
})

test('a failed password hash frees its place in the queue, so that two hashes run at once again', async () => {
  const fail = () => Promise.reject(new Error('no memory'))
  for (let i = 0; i < 5; i++) await expect(inHashingTurn(fail)).rejects.toThrow('no memory')
  const { work, end, most } = open()
  const both = [inHashingTurn(work), inHashingTurn(work)]
  await aMoment()
  expect(most()).toBe(2)
  end()
  end()
  await Promise.all(both)
})
