import type uPlot from 'uplot'
import { formatSignificant } from '../../../domain/format-number'
import { lineName, LINES_AS_READ, seriesOf } from '../lines'
import { formatPointTime } from '../../../domain/chart-time'
import { lastIndex } from '../../../domain/plot-columns'
import { readoutPlace } from '../../../domain/label-places'

export interface ReadoutClasses {
  readonly box: string
  readonly date: string
  readonly row: string
}

interface Row {
  readonly name: string
  readonly value: string
}

/** The values at a point, the ratio first; only lines that are shown. */
function readoutRows(u: uPlot, index: number, averageLabel: string): Row[] {
  const shown = LINES_AS_READ.filter((id) => u.series[seriesOf(id)]?.show !== false)
  return shown.map((id) => ({
    name: lineName(id, averageLabel),
    value: formatSignificant(u.data[seriesOf(id)]?.[index] ?? null),
  }))
}

const element = (name: string, className: string, text = ''): HTMLElement => {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

/**
 * The values under the crosshair, in a box beside it at the top, where no finger hides them; and the same in words as
 * the value of the host, which is a slider over the points for screen readers.
 */
export function readout(host: HTMLElement, classes: ReadoutClasses, averageLabel: () => string): uPlot.Plugin {
  const box = element('div', classes.box)
  box.hidden = true
  // The host's value says the same.
  box.setAttribute('aria-hidden', 'true')

  const describe = (u: uPlot, index: number, rows: readonly Row[]) => {
    const time = u.data[0]?.[index]
    if (time === undefined) return
    host.setAttribute('aria-valuemax', String((u.data[0]?.length ?? 1) - 1))
    host.setAttribute('aria-valuenow', String(index))
    const words = rows.map(({ name, value }) => `${name} ${value}`)
    host.setAttribute('aria-valuetext', [formatPointTime(time), ...words].join(', '))
  }

  const update = (u: uPlot) => {
    const index = u.cursor.idx ?? null
    const at = index ?? lastIndex(u.data[u.data.length - 1] ?? [])
    if (at < 0) return
    const rows = readoutRows(u, at, averageLabel())
    describe(u, at, rows)
    const time = u.data[0]?.[at]
    const left = u.cursor.left ?? -1
    box.hidden = index === null || left < 0 || time === undefined
    if (box.hidden || time === undefined) return
    box.replaceChildren(
      element('div', classes.date, formatPointTime(time)),
      ...rows.map(({ name, value }) => {
        const row = element('div', classes.row)
        row.append(element('span', '', name), element('span', '', value))
        return row
      }),
    )
    const x = u.valToPos(time, 'x')
    const points = LINES_AS_READ.flatMap((id) => {
      const value = u.series[seriesOf(id)]?.show === false ? null : u.data[seriesOf(id)]?.[at]
      return value == null ? [] : [{ x, y: u.valToPos(value, 'y') }]
    })
    const plot = { width: u.over.clientWidth, height: u.over.clientHeight - 2 * box.offsetTop }
    const size = { width: box.offsetWidth, height: box.offsetHeight }
    const place = readoutPlace(plot, size, points, left)
    box.style.translate = `${place.left}px ${place.top}px`
  }
  return {
    hooks: {
      init: (u) => u.over.append(box),
      setCursor: update,
      setData: update,
      setSeries: update,
    },
  }
}
