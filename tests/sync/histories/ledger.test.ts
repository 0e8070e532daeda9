import { expect, test } from 'vitest'
import { createOf, entryOf, uuid, widgetNumber } from '../../db/support/entries'
import { createLedger } from './ledger'

const pair = widgetNumber(1)
const removal = entryOf(1, 'widget.delete@1', { widget: pair.id }, { attempts: 15 })
const again = createOf(2, 1)
const refused = { method: 'POST', path: '/', key: uuid(2), owner: '', body: null, answer: null, replayed: false }

const forgetAfter = (status: number): void => {
  const ledger = createLedger()
  ledger.follow([removal, again], new Map(), () => false, 0)
  ledger.seen({ ...refused, status })
  ledger.follow([], new Map([['temp-1', pair.id]]), () => false, 1)
}

test('a removal that the server cannot do is lost where it is forgotten, unless the pair was added again and found there', () => {
  expect(() => forgetAfter(409)).not.toThrow()
  expect(() => forgetAfter(500)).toThrow('lost: widget.delete@1')
})
