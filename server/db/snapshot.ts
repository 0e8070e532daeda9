import { once } from 'node:events'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { socketAddress } from './folder-lock'
import { messageOf } from '../../src/domain/error-message'

/** Below the data folder: a copy of the database's files, for as long as a backup reads it. */
const SNAPSHOT = 'snapshot'
const REQUEST = 'snapshot'

type Answer = { readonly folder: string } | { readonly error: string }
/** Copies the database's files to the folder `to`, which does not exist yet. */
type CopyFiles = (to: string) => Promise<void>

/**
 * The embedded database belongs to one process, so another process of this user asks that one for a copy of its files, over
 * the socket that locks the data folder: it writes a line, and is answered with a line of JSON. The server process removes
 * the copy when that connection ends, however the other process did. There is one copy at a time.
 */
export function serveSnapshots(root: string): {
  onConnection: (socket: Socket) => void
  begin: (copy: CopyFiles) => void
  end: () => void
} {
  const folder = join(root, SNAPSHOT)
  let copyFiles: CopyFiles | null = null
  const sockets = new Set<Socket>()
  let busy = false
  let ended = false

  const answer = async (): Promise<Answer> => {
    if (copyFiles === null) return { error: 'The server is starting. Try again in a moment.' }
    try {
      rmSync(folder, { recursive: true, force: true })
      await mkdir(folder, { mode: 0o700 })
      await checkRoom(root)
      await copyFiles(join(folder, 'postgres'))
      return { folder }
    } catch (error) {
      return { error: messageOf(error) }
    }
  }

  const onConnection = (socket: Socket) => {
    // A process that only looks whether the lock is held breaks the connection off.
    socket.on('error', () => socket.destroy())
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const reply = (line: Answer) => void socket.write(`${JSON.stringify(line)}\n`)
    createInterface(socket).once('line', (line) => {
      if (line !== REQUEST) return reply({ error: 'This server does not know that request.' })
      if (busy) return reply({ error: 'Another backup is being made.' })
      busy = true
      const answered = answer().then(reply)
      void Promise.allSettled([answered, once(socket, 'close')]).then(() => {
        // A backup under way goes on reading when the server ends.
        if (!ended) rmSync(folder, { recursive: true, force: true })
        busy = false
      })
    })
  }
  const begin = (copy: CopyFiles) => {
    // A killed process may have left a copy behind.
    rmSync(folder, { recursive: true, force: true })
    copyFiles = copy
  }
  const end = () => {
    ended = true
    for (const socket of sockets) socket.destroy()
  }
  return { onConnection, begin, end }
}

async function checkRoom(root: string): Promise<void> {
  const needed = sizeOf(join(root, 'postgres'))
  const { bavail, bsize } = await statfs(root)
  const free = bavail * bsize
  if (free > needed * 1.1) return
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new Error(
    `A backup copies the database's files first: ${inMegabytes(needed)}, and ${inMegabytes(free)} are free in ${root}.`,
  )
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce(
    (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

export interface DatabaseCopy {
  /** A data folder: the copy is in its `postgres`. */
  readonly folder: string
  /** Removes the copy. */
  release(): void
}

/**
 * Asks the server process that holds `dataDir` for a copy of its database.
 * @throws Error with the server's sentence when it makes none
 */
export async function requestSnapshot(dataDir: string): Promise<DatabaseCopy> {
  const socket = connect(socketAddress(dataDir))
  await once(socket, 'connect')
  socket.write(`${REQUEST}\n`)
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const { value: line, done } = await lines.next()
  if (done === true) throw new Error('The server ended while it copied the database.')
  const answer = JSON.parse(line) as Answer
  if ('error' in answer) {
    socket.destroy()
    throw new Error(answer.error)
  }
  const release = () => {
    socket.destroy()
    rmSync(answer.folder, { recursive: true, force: true })
  }
  return { folder: answer.folder, release }
}
