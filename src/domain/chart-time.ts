/*
 * Local time in the fixed formats of the chart. date-fns' `format` speaks every pattern there is, at 5 kB of the 40 that
 * the chart's code may weigh.
 */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

const two = (value: number): string => String(value).padStart(2, '0')

/** "Nov"; every function here takes milliseconds. */
export const formatMonth = (time: number): string => MONTHS[new Date(time).getMonth()] ?? ''

/** "2026" */
export const formatYear = (time: number): string => String(new Date(time).getFullYear()).padStart(4, '0')

/** "14:05" */
export const formatHourMinute = (time: number): string => {
  const date = new Date(time)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** "Nov 8" */
export const formatMonthDay = (time: number): string => `${formatMonth(time)} ${new Date(time).getDate()}`

/** "Nov 8, 2026" */
export const formatDate = (time: number): string => `${formatMonthDay(time)}, ${formatYear(time)}`

/** "Nov 8, 2026 14:05", the specification's "MMM d, yyyy HH:mm". */
export const formatPointTime = (time: number): string => `${formatDate(time)} ${formatHourMinute(time)}`
