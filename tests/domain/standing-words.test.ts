import { expect, it } from 'vitest'
import { extremeOf } from '../../src/domain/extreme'
import { percentileWords, placeWords } from '../../src/domain/format-number'
import {
  deviationWords,
  type PairStanding,
  standingDays,
  standingOf,
  standingSentence,
} from '../../src/domain/standing'
import { expectRows } from '../support/expect-rows'
import { placed } from '../support/placed'

it('a place among the days is the lowest, an ordinal or the highest', () =>
  expectRows(placeWords, [
    [0, 'lowest'],
    [0.001, '1st'],
    [0.02, '2nd'],
    [0.03, '3rd'],
    [0.04, '4th'],
    [0.11, '11th'],
    [0.12, '12th'],
    [0.13, '13th'],
    [0.211, '21st'],
    [0.999, '99th'],
    [1, 'highest'],
    [NaN, 'N/A'],
  ]))

it('a place is said in one sentence, with the days and the deviations from the average', () =>
  expectRows(
    (facts: Partial<PairStanding>) => standingSentence(placed({ percentile: 0.97, z: 1.93, ...facts })),
    [
      [{}, '97th percentile of 90 days, 1.9 deviations above the average'],
      [{ percentile: 0.04, z: -1.7 }, '4th percentile of 90 days, 1.7 deviations below the average'],
      [{ percentile: 0, z: -2.35, days: 62 }, 'Lowest of 62 days, 2.4 deviations below the average'],
      [{ percentile: 1, z: 3 }, 'Highest of 90 days, 3.0 deviations above the average'],
      [{ percentile: 0.5, z: 0.01 }, '50th percentile of 90 days, at the average'],
      [{ percentile: 0.5, z: null }, '50th percentile of 90 days'],
    ],
  ))

it('deviations have a sign and the digits asked for', () =>
  expectRows(deviationWords, [
    [1.93, 1, '+1.9σ'],
    [-0.5, 1, '−0.5σ'],
    [-1.93, 2, '−1.93σ'],
    [-0.004, 2, '0.00σ'],
    [-3, 0, '−3σ'],
    [NaN, 2, 'N/A'],
  ]))

it('fewer than 85 days are counted', () => {
  expect([84, 85, 90].map((days) => standingDays({ days }))).toEqual(['84 days', '90 days', '90 days'])
})

it('a place is no extreme where the pair is pegged, or nearer to the average than a swap there and back costs', () =>
  expectRows(extremeOf, [
    [{ percentile: 0.97, distance: 0.1, isPegged: false }, 'high'],
    [{ percentile: 0.02, distance: -0.1, isPegged: false }, 'low'],
    [{ percentile: 0.94, distance: 0.1, isPegged: false }, null],
    [{ percentile: 0.97, distance: 0.1, isPegged: true }, null],
    [{ percentile: 0.97, distance: 0.006, isPegged: false }, null],
    [{ percentile: 0.97, distance: 0.0061, isPegged: false }, 'high'],
    [{ percentile: 0.02, distance: -0.0059, isPegged: false }, null],
  ]))

it('a percentile is in words what the place alone is: below all days it is the lowest, and no 0th', () =>
  expectRows(percentileWords, [
    [0, 'lowest'],
    [0.003, '1st percentile'],
    [44.5 / 90, '49th percentile'],
    [1, 'highest'],
  ]))

it('a day that closed at the current ratio counts half, and turning the pair mirrors the place', () => {
  const a = Array.from({ length: 90 }, (_, day) => 100 + day)
  const b = a.map(() => 1)
  const [one, turned] = [standingOf({ a, b }, 144)!, standingOf({ a: b, b: a }, 1 / 144)!]
  expect(one.percentile).toBe(44.5 / 90)
  expect(turned.percentile).toBe(45.5 / 90)
  expect(turned.z).toBeCloseTo(-one.z!, 9)
})
