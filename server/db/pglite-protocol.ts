/** Between the server and the thread of the embedded database. Each message to it gets one answer, in order. */
export interface WorkerSetup {
  /** Where the database lies; made when it does not exist. */
  readonly folder: string
  /** False leaves out every fsync: for tests, where nothing has to survive a power cut. */
  readonly durable: boolean
  /** One Int32, which the thread raises with each operation on its files: it is at work, however long a statement takes. */
  readonly progress: SharedArrayBuffer
}

export type ToWorker =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'reset' }
  /** Copies the database's files to a folder that does not exist yet. */
  | { readonly type: 'snapshot'; readonly to: string }
  | { readonly type: 'close' }

export type Answer =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly message: string }

/** The thread's unrequested messages: an error that it survives, or the reason why it ends. */
export type Report =
  { readonly type: 'warning'; readonly message: string } | { readonly type: 'lost'; readonly message: string }

export type FromWorker = Answer | Report
