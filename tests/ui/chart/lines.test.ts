import { expect, it } from 'vitest'
import type { CheckpointView } from '../../../src/db/view'
import { PERIOD_RULES, PERIODS } from '../../../src/domain/chart-periods'
import { averageLabel, LINES, REFERENCE_STYLES, referencesOf } from '../../../src/features/chart/lines'
import { alertsView, widgetView } from '../../support/widget-view'

const checkpoint = (ratio: number, isDefault = false) => ({ ratio, isDefault }) as CheckpointView

it('the label of the chart’s average names the target window of each period', () => {
  expect(PERIODS.map((period) => averageLabel(PERIOD_RULES[period].averageDays))).toEqual([
    'EMA (0.125d Target)',
    'EMA (1d Target)',
    'EMA (3d Target)',
    'EMA (7d Target)',
    'EMA (30d Target)',
  ])
})

it('the references of a pair are its alerts and checkpoints, the most important first', () => {
  const checkpoints = [checkpoint(3), checkpoint(4, true), checkpoint(5)]
  expect(
    referencesOf(widgetView({ alerts: alertsView({ high: { threshold: 9 }, low: { threshold: 1 } }), checkpoints })),
  ).toEqual([
    { kind: 'high', value: 9 },
    { kind: 'low', value: 1 },
    { kind: 'default', value: 4 },
    { kind: 'checkpoint', value: 3 },
    { kind: 'checkpoint', value: 5 },
  ])
})

it('a pair without alerts and checkpoints has no references', () => {
  expect(referencesOf(widgetView())).toEqual([])
})

it('references and chart lines all have different dashes, so that they differ without colour', () => {
  const dashes = [...LINES, ...Object.values(REFERENCE_STYLES)].map(({ dash }) => dash.join())
  expect(new Set(dashes).size).toBe(dashes.length)
})
