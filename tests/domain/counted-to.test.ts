import { expect, it } from 'vitest'
import { countedWords } from '../../src/domain/counted-to'

it('says a number as it was counted, that counting stopped at a limit, and beyond it an estimate of three digits', () => {
  const words = [0, 19_999, 20_000, 20_001, 54_321, 1_234_567].map((value) => countedWords(value, 20_000))
  expect(words).toEqual(['0', '19,999', '20,000 or more', 'about 20,000', 'about 54,300', 'about 1,230,000'])
})
