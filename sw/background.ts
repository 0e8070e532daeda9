import type { Engine } from '../src/sync/engine'

/** Sends what waits; rejects while something still does, so that the browser tries again by itself. */
export async function flushOutbox(engine: Engine, isEmpty: () => Promise<boolean>): Promise<void> {
  await engine.sync('background')
  if (!(await isEmpty())) throw new Error('Changes still wait.')
}
