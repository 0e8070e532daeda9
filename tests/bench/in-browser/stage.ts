import { REPEATS, type Act } from './acts'
import { HEIGHT, WIDTH, type OpenChart } from './contender'
import { CONTENDERS, type ContenderName } from './contenders'
import { SIZES, type Size } from './market'
import { pictureOf, type Picture } from './pixels'
import { movedChart, type ChartPair } from './stored-charts'

function actsOn([first, next]: ChartPair) {
  const polls = Array.from({ length: REPEATS.point }, (_, i) => movedChart(next, 1 + (i + 1) / 200))
  return { first, next, polls }
}

function nth<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new RangeError(`There is no number ${index} of ${values.length}.`)
  return value
}

export interface Stage {
  /** Takes away the chart that stands there and makes room for one of so many points. */
  clear(size: Size): Promise<void>
  act(contender: ContenderName, act: Act): Promise<void>
  picture(): Promise<Picture>
}

/** Two frames and what they leave to be done: by then every contender has drawn. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))

/** The element in which the bench draws one chart at a time and acts upon it. */
export function stage(stored: Readonly<Record<Size, ChartPair>>): Stage {
  const charts = { 2160: actsOn(stored[2160]), 8760: actsOn(stored[8760]) } as const satisfies Record<Size, unknown>
  let size: Size = 2160
  let host = document.createElement('div')
  let open: OpenChart | null = null

  const chart = (): OpenChart => {
    if (open === null) throw new Error('No chart is open.')
    return open
  }
  const once = (contender: ContenderName, act: Act, i: number) => {
    const { first, next, polls } = charts[size]
    switch (act) {
      case 'open':
        open = CONTENDERS[contender].open(host, first, SIZES[size])
        return
      case 'switch':
        chart().show(next)
        return
      case 'zoom':
        chart().zoom(i % 2 === 0 ? 'half' : 'all')
        return
      case 'point':
        chart().movePoint(nth(polls, i))
    }
  }

  return {
    async clear(wanted) {
      open?.close()
      open = null
      size = wanted
      host = document.createElement('div')
      const place = document.createElement('div')
      Object.assign(place.style, { position: 'relative', width: `${WIDTH}px`, height: `${HEIGHT}px` })
      place.append(host)
      document.body.replaceChildren(place)
      await drawn()
    },
    async act(contender, act) {
      for (let i = 0; i < REPEATS[act]; i += 1) {
        once(contender, act, i)
        await drawn()
      }
    },
    picture: () => pictureOf(host),
  }
}
