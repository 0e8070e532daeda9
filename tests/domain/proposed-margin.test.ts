import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AlertRule, MAX_MARGIN } from '../../src/domain/alerts'
import { DAY, HOUR } from '../../src/domain/granularity'
import { alertsSentence, readHold, readMargin } from '../../src/domain/margin-words'
import { alertsOfPast, closesByDay, proposedMargin } from '../../src/domain/proposed-margin'

/** Closes whose every day moves by so much, up and down in turn. */
const moving = (move: number, days = 91) =>
  Array.from({ length: days }, (_, day) => (day % 2 === 0 ? 1 : Math.exp(move)))

test.each([
  [0.000_02, 0.0001],
  [0.0028, 0.0007],
  [0.013, 0.003],
  [0.02, 0.005],
  [0.05, 0.015],
  [6, MAX_MARGIN],
])('a pair that moves by %d a day is proposed a margin of %d', (move, margin) => {
  expect(proposedMargin(moving(move))).toBe(margin)
})

test('a proposed margin is that of the median move of the last 90 days that are known, whatever lies before them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { maxLength: 30 }),
      fc.array(fc.nat({ max: 88 }), { maxLength: 20 }),
      (before, gaps) => {
        const closes = [...before, ...moving(0.03)]
        // A close that is not known takes two moves with it: at least 50 of 90 are left.
        for (const gap of gaps) closes[before.length + 1 + gap] = NaN
        expect(proposedMargin(closes)).toBe(0.008)
      },
    ),
  )
})

test('no margin is proposed from fewer than twenty moves, nor for a ratio that does not move', () => {
  expect(proposedMargin(moving(0.03, 20))).toBeNull()
  expect(proposedMargin(moving(0.03, 21))).toBe(0.008)
  expect(proposedMargin(moving(0))).toBeNull()
})

const hourly = (ratios: readonly number[], spacing = HOUR) => ({
  times: Float64Array.from(ratios, (_, at) => at * spacing),
  ratios: Float64Array.from(ratios),
  spacing,
})

test('the closes of a past are the last ratios of its whole days, and NaN for a day without one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 60 }), (steps) => {
      let at = 0
      const times = steps.map((step) => (at += step * HOUR))
      const ratios = times.map((_, index) => index + 1)
      const first = Math.ceil(times[0]! / DAY)
      const ended = Math.floor(times.at(-1)! / DAY)
      const expected = Array.from({ length: Math.max(0, ended - first + 1) }, (_, day) => {
        const end = (first + day) * DAY
        const within = times.findLastIndex((time) => time > end - DAY && time <= end)
        return within < 0 ? NaN : ratios[within]!
      })
      expect(closesByDay({ times: Float64Array.from(times), ratios: Float64Array.from(ratios) })).toEqual(expected)
    }),
  )
})

test('without margin and hold the past has an alert for each time that the ratio goes beyond, and a margin adds none', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 1, maxLength: 60 }),
      fc.constantFrom<AlertRule['kind']>('above', 'below'),
      fc.double({ min: 0, max: 0.1, noNaN: true }),
      fc.nat({ max: 300 }),
      (ratios, kind, margin, holdMinutes) => {
        const beyond = ratios.map((ratio) => (kind === 'above' ? ratio > 100 : ratio < 100))
        const crossings = beyond.filter((is, at) => at > 0 && is && !beyond[at - 1]).length
        const rule = { kind, level: 100, margin: 0, holdMinutes: 0 }
        const past = hourly(ratios)
        const withMargin = alertsOfPast(past, { ...rule, margin })
        expect(alertsOfPast(past, rule)).toBe(crossings)
        expect(withMargin).toBeLessThanOrEqual(crossings)
        expect(alertsOfPast(past, { ...rule, margin, holdMinutes })).toBeLessThanOrEqual(withMargin)
      },
    ),
  )
})

const trembling = hourly([...Array.from({ length: 48 }, (_, at) => (at % 4 === 1 ? 101 : 99.8)), 98])
const HIGH = [{ kind: 'above', level: 100 }] as const

test.each([
  [trembling, 0, 0, 'Without a margin 12 alerts in 2 days.'],
  [trembling, 0.005, 0, 'Without a margin 12 alerts in 2 days, with 0.5\u00A0% 1.'],
  [trembling, 0, 60, 'Without a hold 12 alerts in 2 days, with 60\u00A0min none.'],
  [trembling, 0.005, 30, 'Without margin and hold 12 alerts in 2 days, with 0.5\u00A0% and 30\u00A0min at most 1.'],
  [hourly([99, 101], DAY), 0.01, 0, 'Without a margin 1 alert in 1 day, with 1\u00A0% 1.'],
  [hourly([99, 99], DAY), 0.01, 0, 'Without a margin no alert in 1 day.'],
  [hourly([99, 101]), 0.01, 0, null],
] as const)('the sentence about alerts of the past %#', (past, margin, holdMinutes, sentence) => {
  expect(alertsSentence(past, HIGH, { margin, holdMinutes })).toBe(sentence)
})

test('a typed margin is per cent up to 50 and a typed hold whole minutes up to a day, with a comma or a point', () => {
  expect(['0,5', '0.3', ' 50 ', '', '50.1', '-1', '1,000,0', 'x'].map(readMargin)).toEqual([
    0.005,
    0.003,
    0.5,
    0,
    null,
    null,
    null,
    null,
  ])
  expect(['60', '1440', '', '1441', '0.5', '-5'].map(readHold)).toEqual([60, 1440, 0, null, null, null])
})
