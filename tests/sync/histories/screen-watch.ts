import type { OptimisticWidget } from '../../../src/db/board'
import { Violation } from './violation'

interface Value {
  readonly value: string
  /** Causes that had come when the value appeared. */
  readonly causes: number
}

/** Watches what the screen shows for things shown twice, and for values that go and come back without a cause. */
export interface ScreenWatch {
  /** Something that may change a thing, or with '*' anything. */
  readonly cause: (key: string) => void
  readonly look: (shown: readonly OptimisticWidget[]) => void
  /** Another device takes part from now on. */
  readonly disturb: () => void
  /** Another owner's screen: nothing of the old one counts. */
  readonly restart: () => void
}

/** A thing keeps its name when the server answers its create. */
export const keyOf = (thing: { readonly id: string; readonly created_by_op: string | null }): string =>
  thing.created_by_op ?? thing.id

export function screenWatch(): ScreenWatch {
  const causes = new Map<string, number>()
  let past = new Map<string, Value[]>()
  let disturbed = false
  let widgetOf = new Map<string, string>()

  const note = (thing: string, value: string, widget: string): void => {
    const count = (causes.get(widget) ?? 0) + (causes.get('*') ?? 0)
    const values = past.get(thing) ?? []
    const last = values.at(-1)
    if (last?.value === value) return
    const before = values.at(-2)
    // Another device's mutation may show in two steps: a refusal here, and the list that explains it.
    const since = disturbed ? before?.causes : last?.causes
    if (before?.value === value && since === count) {
      throw new Violation('steady', `flicker of ${thing}: ${before.value} -> ${last?.value} -> ${value}`)
    }
    past.set(thing, [...values, { value, causes: count }])
    widgetOf.set(thing, widget)
  }

  return {
    cause: (key) => void causes.set(key, (causes.get(key) ?? 0) + 1),
    disturb() {
      disturbed = true
    },
    restart() {
      past = new Map()
      widgetOf = new Map()
    },
    look(shown) {
      const pairs = shown.map((widget) => `${widget.coin_a_id}/${widget.coin_b_id}`)
      if (new Set(pairs).size < pairs.length) throw new Violation('steady', `a pair is shown twice: ${pairs.join(' ')}`)
      const present = new Set<string>()
      for (const widget of shown) {
        const key = keyOf(widget)
        const see = (thing: string, value: string): void => {
          present.add(thing)
          note(thing, value, key)
        }
        see(`widget ${key}`, 'there')
        see(`threshold ${key}`, String(widget.high_threshold))
        for (const checkpoint of widget.checkpoints) {
          const thing = `checkpoint ${keyOf(checkpoint)}`
          if (present.has(thing)) throw new Violation('steady', `${thing} is shown twice`)
          see(thing, 'there')
          see(`ratio of ${thing}`, String(checkpoint.ratio))
        }
        see(`order of ${key}`, widget.checkpoints.map(keyOf).join(' '))
        see(
          `default of ${key}`,
          widget.checkpoints
            .filter(({ is_default }) => is_default)
            .map(keyOf)
            .join(' '),
        )
      }
      for (const [thing, widget] of widgetOf) {
        if (!present.has(thing) && /^(widget|checkpoint) /.test(thing)) note(thing, 'gone', widget)
      }
    },
  }
}
