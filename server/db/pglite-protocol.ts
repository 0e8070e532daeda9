/** Between the server and the thread of the embedded database. Each message to it gets one answer, in order. */
export interface WorkerSetup {
  /** Where the database lies; made when it does not exist. */
  readonly folder: string
  /** False leaves out every fsync: for tests, where nothing has to survive a power cut. */
  readonly durable: boolean
}

export type ToWorker =
  { readonly type: 'bytes'; readonly bytes: Uint8Array } | { readonly type: 'reset' } | { readonly type: 'close' }

export type FromWorker =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly message: string }
