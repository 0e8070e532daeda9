import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type EmscriptenOptions = Parameters<NodeFS['init']>[1]
type Operation = (...args: never[]) => unknown

/** What preRun is given, as far as it is used here; PGlite's types do not have Emscripten's NODEFS. */
interface WithNodeFs {
  readonly NODEFS: {
    readonly stream_ops: {
      read: Operation
      write: Operation
      fsync?: (stream: { readonly nfd: number }) => number
      setattr: SetAttributes
    }
    readonly node_ops: {
      mknod: (parent: unknown, name: string, mode: number, device: number) => unknown
      setattr: SetAttributes
    }
  }
}

type SetAttributes = (target: unknown, attributes: { readonly mode?: number }) => unknown

/** Permissions of a file's group and of all others. */
const OTHERS = 0o077

/** PGlite asks for 0666 now and then, and Emscripten sets that after the process's umask has had its say. */
const withoutOthers =
  (set: SetAttributes): SetAttributes =>
  (target, attributes) =>
    set(target, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~OTHERS })

/**
 * PGlite's file system on a real folder, with an fsync that reaches the disk. Emscripten's NODEFS has none, so a
 * commit that PGlite acknowledges could be lost with the machine. Its files are the user's alone.
 */
export class DurableFs extends NodeFS {
  readonly #onProgress: () => void

  /** @param onProgress is called after each operation on a file that succeeded */
  constructor(folder: string, onProgress: () => void) {
    super(folder)
    this.#onProgress = onProgress
  }

  override async init(pg: PGlite, options: EmscriptenOptions): Promise<{ emscriptenOpts: EmscriptenOptions }> {
    const made = await super.init(pg, options)
    const preRun = (made.emscriptenOpts.preRun ??= [])
    preRun.push((module) => {
      const { node_ops: nodes, stream_ops: operations } = (module as unknown as WithNodeFs).NODEFS
      const makeNode = nodes.mknod
      nodes.mknod = (parent, name, mode, device) => makeNode(parent, name, mode & ~OTHERS, device)
      nodes.setattr = withoutOthers(nodes.setattr)
      operations.setattr = withoutOthers(operations.setattr)
      operations.read = this.#noting(operations.read)
      operations.write = this.#noting(operations.write)
      operations.fsync = this.#noting((stream: { readonly nfd: number }) => {
        fsyncSync(stream.nfd)
        return 0
      })
    })
    return made
  }

  #noting<F extends Operation>(operation: F): F {
    return ((...args: Parameters<F>) => {
      const result = operation(...args)
      this.#onProgress()
      return result
    }) as F
  }
}
