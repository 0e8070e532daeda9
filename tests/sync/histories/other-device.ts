import type { Widget } from '../../../src/contract/widget'
import { isAnonymousOwner } from '../../../src/domain/ids'
import { key, type Method, person } from '../../server/support/person'
import type { TestApp } from '../../server/support/test-app'
import { PAIRS } from './pairs'
import type { People } from './people'

/** The same owner at another device, which is online all the time and asks the server itself. */
export interface OtherDevice {
  readonly list: (owner: string) => Promise<readonly Widget[]>
  readonly add: (owner: string, pair: (typeof PAIRS)[number]) => Promise<void>
  /** Saves a user's checkpoint of the first pair. */
  readonly save: (owner: string, ratio: number) => Promise<void>
  /** Changes something; the numbers choose what. */
  readonly meddle: (owner: string, a: number, b: number) => Promise<void>
}

export function otherDevice({ app }: Pick<TestApp, 'app'>, { headersOf }: People, now: () => number): OtherDevice {
  const at = (owner: string) => person(app, async () => headersOf(owner))
  const ask = (owner: string, method: Method, path: string, body?: unknown) =>
    at(owner).ask(method, path, body, key(undefined))
  const list: OtherDevice['list'] = (owner) => at(owner).list()
  const add: OtherDevice['add'] = async (owner, { coinA, coinB }) => {
    await ask(owner, 'POST', '/widgets', { coin_a_id: coinA, coin_b_id: coinB })
  }

  const meddleWithCheckpoints = async (owner: string, { id, checkpoints }: Widget, b: number): Promise<unknown> => {
    const path = `/widgets/${id}/checkpoints`
    const body = { ratio: 3_000 + b, timestamp: new Date(now()).toISOString() }
    if (isAnonymousOwner(owner)) {
      return b % 3 === 0 && checkpoints.length > 0
        ? ask(owner, 'DELETE', `${path}/checkpoint`)
        : ask(owner, 'POST', `${path}/anonymous`, { ...body, is_default: true })
    }
    const ids = checkpoints.map((one) => one.id)
    const one = ids[b % Math.max(1, ids.length)]
    if (one === undefined || b % 7 < 2) return ask(owner, 'POST', path, { ...body, is_default: b % 2 === 0 })
    switch (b % 7) {
      case 2:
        return ask(owner, 'PUT', `${path}/${one}`, body)
      case 3:
        return ask(owner, 'DELETE', `${path}/${one}`)
      case 4:
        return ask(owner, 'DELETE', path, { checkpoint_ids: ids.slice(0, 2) })
      case 5:
        return ask(owner, 'POST', `${path}/reorder`, { ordered_ids: ids.toReversed() })
      default:
        return ask(owner, 'POST', `${path}/${one}/set-default`)
    }
  }

  return {
    list,
    add,
    async save(owner, ratio) {
      const [first] = await list(owner)
      const timestamp = new Date(now()).toISOString()
      if (first !== undefined) await ask(owner, 'POST', `/widgets/${first.id}/checkpoints`, { ratio, timestamp })
    },
    async meddle(owner, a, b) {
      const widgets = await list(owner)
      const widget = widgets[b % Math.max(1, widgets.length)]
      if (a % 8 === 0 || widget === undefined) await add(owner, PAIRS[b % PAIRS.length]!)
      // A guest has no other device: what is missing from their list, the server has lost.
      else if (a % 8 === 1 && isAnonymousOwner(owner)) await add(owner, PAIRS[b % PAIRS.length]!)
      else if (a % 8 === 1) await ask(owner, 'DELETE', `/widgets/${widget.id}`)
      else if (a % 8 === 2) await ask(owner, 'PUT', `/widgets/${widget.id}`, { high_threshold: 2_000 + b })
      else if (a % 8 === 3) {
        const ids = widgets.map(({ id }) => id)
        await ask(owner, 'POST', '/widgets/reorder', { ordered_ids: [...ids.slice(1), ids[0]] })
      } else await meddleWithCheckpoints(owner, widget, b)
    },
  }
}
