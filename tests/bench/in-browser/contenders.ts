import type { Contender } from './contender'
import { bareUplot } from './contenders/bare-uplot'
import { chartJs } from './contenders/chart-js'
import { blank, idle } from './contenders/controls'
import { eCharts } from './contenders/e-charts'
import { lightweight } from './contenders/lightweight'
import { ours } from './contenders/ours'

export const CONTENDERS = {
  ours,
  'bare uPlot': bareUplot,
  'Chart.js': chartJs,
  'lightweight-charts': lightweight,
  ECharts: eCharts,
  idle,
  blank,
} as const satisfies Readonly<Record<string, Contender>>

export type ContenderName = keyof typeof CONTENDERS
