import { format } from 'date-fns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatHourMinute,
  formatDate,
  formatMonthDay,
  formatMonth,
  formatPointTime,
  formatYear,
} from '../../src/domain/chart-time'

const moments = fc.date({ min: new Date(0), max: new Date('2199-12-31'), noInvalidDate: true })

test.each([
  ['MMM d, yyyy HH:mm', formatPointTime],
  ['MMM d, yyyy', formatDate],
  ['MMM d', formatMonthDay],
  ['MMM', formatMonth],
  ['yyyy', formatYear],
  ['HH:mm', formatHourMinute],
])('the chart’s formatter for %s writes local time exactly as date-fns does', (pattern, write) => {
  const written = (moment: Date) => {
    expect(write(moment.getTime())).toBe(format(moment, pattern))
  }
  fc.assert(fc.property(moments, written))
})
