import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { fsyncSync } from 'node:fs'
import { MINUTE } from '../../src/domain/granularity'

type EmscriptenOptions = Parameters<NodeFS['init']>[1]
type Operation = (...args: never[]) => unknown

/** The argument of preRun, as far as it is used here; PGlite's types do not have Emscripten's NODEFS. */
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

/** The database's log may grow by this much before a checkpoint lets PostgreSQL use its files again. Bytes. */
const MAX_LOG_BYTES = 48_000_000
/** A log that has grown at all gets a checkpoint this often. Milliseconds. */
const CHECKPOINT_INTERVAL = 5 * MINUTE
/** The log's position is asked for after this many messages, or this many bytes of them. */
const MESSAGES_PER_LOOK = 50
const BYTES_PER_LOOK = 1_000_000

/**
 * PGlite has no checkpointer process: without CHECKPOINT the log (pg_wal) grows for as long as the server runs, and the
 * start after a kill has to replay all of it.
 */
export function makeCheckpoints(database: PGlite, now: () => number) {
  let messages = 0
  let bytes = 0
  let made = { position: 0, at: now() }

  const position = async (): Promise<number> => {
    const { rows } = await database.query<{ at: string }>(`SELECT (pg_current_wal_lsn() - '0/0')::text AS at`)
    return Number(rows[0]?.at)
  }

  return {
    /** The log of a database that was opened just now is as short as it gets. */
    begin: async () => {
      made = { position: await position(), at: now() }
    },
    /**
     * To be called after a message, while the session is idle.
     * @param size bytes of the message
     */
    after: async (size: number): Promise<void> => {
      messages += 1
      bytes += size
      if (messages < MESSAGES_PER_LOOK && bytes < BYTES_PER_LOOK) return
      messages = 0
      bytes = 0
      const grown = (await position()) - made.position
      const waited = now() - made.at
      if (grown < MAX_LOG_BYTES && (grown === 0 || waited < CHECKPOINT_INTERVAL)) return
      await database.exec('CHECKPOINT')
      made = { position: await position(), at: now() }
    },
  }
}
