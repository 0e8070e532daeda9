import { expect, test } from 'vitest'
import { playModel } from '../sync/model/run.mjs'

const FIRST = Number(process.env['MODEL_SEED'] ?? 1)
const COUNT = Number(process.env['MODEL_COUNT'] ?? 120_000)

test(`${COUNT} random histories in the model of sync break no invariant`, { timeout: 7_200_000 }, () => {
  expect(playModel(COUNT, FIRST)).toEqual([])
})
