import { reorderedCheckpoints } from '../../domain/checkpoint-list'
import { canonical } from '../ids'
import { asListChange, checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointReorder: KindRules<'checkpoint.reorder@1'> = {
  ...checkpointChange,
  ...asListChange((list, { ordered_ids }, resolve) => reorderedCheckpoints(list, ordered_ids.map(resolve))),
  mentions: ({ ordered_ids }) => ordered_ids,
  without: (payload, id) => ({ ...payload, ordered_ids: payload.ordered_ids.filter((one) => one !== id) }),
  request: ({ widget, ordered_ids }, ids) => ({
    route: 'reorderCheckpoints',
    params: { id: canonical(ids, widget) },
    body: { ordered_ids: ordered_ids.map((id) => canonical(ids, id)) },
  }),
  title: (label) => `Reorder the checkpoints of ${label}`,
}
