import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** What preRun is given, as far as it is used here; PGlite's types do not have Emscripten's NODEFS. */
interface WithNodeFs {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } }
}

/**
 * PGlite's file system on a real folder, with an fsync that reaches the disk. Emscripten's NODEFS has none, so a
 * commit that PGlite acknowledges could be lost with the machine.
 */
export class DurableFs extends NodeFS {
  override async init(pg: PGlite, options: EmscriptenOptions): Promise<{ emscriptenOpts: EmscriptenOptions }> {
    const made = await super.init(pg, options)
    const preRun = (made.emscriptenOpts.preRun ??= [])
    preRun.push((module) => {
      const { NODEFS } = module as unknown as WithNodeFs
      NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd)
        return 0
      }
    })
    return made
  }
}
