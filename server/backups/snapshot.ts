import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { messageOf } from '../../src/domain/error-message'
import { FolderInUseError, lockFolder, socketAddress } from '../db/folder-lock'

/** Below the data folder: a copy of the database's files, for as long as a backup reads it; each under a name of its own. */
const SNAPSHOT = 'snapshot-'
const REQUEST = 'snapshot'

type Answer = { readonly folder: string } | { readonly error: string }

/**
 * The embedded database belongs to one process, so another process of this user asks the server process for a copy of the
 * files, over the socket that locks the data folder: one line, answered with a line of JSON. The server process removes
 * the copy when that connection ends, however the other process did. There is one copy at a time.
 */
export function serveSnapshots(root: string) {
  let copyFiles: ((to: string) => Promise<void>) | null = null
  const sockets = new Set<Socket>()
  let busy = false
  let ended = false

  const answer = async (folder: string): Promise<Answer> => {
    if (copyFiles === null) return { error: 'The server is starting. Try again in a moment.' }
    try {
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
      const folder = join(root, SNAPSHOT + randomUUID())
      const answered = answer(folder).then(reply)
      void Promise.allSettled([answered, once(socket, 'close')]).then(() => {
        // A backup under way goes on reading when the server ends.
        if (!ended) rmSync(folder, { recursive: true, force: true })
        busy = false
      })
    })
  }
  /** @param copy copies the database's files to the folder `to`, which does not exist yet */
  const begin = (copy: (to: string) => Promise<void>) => {
    copyFiles = copy
  }
  /** Removes the copies that killed processes have left behind; a backup may still be reading one of an ended server. */
  const removeLeft = async () => {
    for (const name of readdirSync(root).filter((name) => /^snapshot(-|$)/.test(name))) {
      const left = join(root, name)
      const unlock = await lockFolder(left).catch((error: unknown) => {
        if (error instanceof FolderInUseError) return null
        throw error
      })
      if (unlock === null) continue
      await unlock()
      rmSync(left, { recursive: true, force: true })
    }
  }
  const end = () => {
    ended = true
    for (const socket of sockets) socket.destroy()
  }
  return { onConnection, begin, removeLeft, end }
}

async function checkRoom(root: string): Promise<void> {
  const files = readdirSync(join(root, 'postgres'), { recursive: true, encoding: 'utf8' })
  const sizes = files.map((name) => statSync(join(root, 'postgres', name), { throwIfNoEntry: false }))
  const needed = sizes.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0)
  const { bavail, bsize } = await statfs(root)
  const free = bavail * bsize
  if (free > needed * 1.1) return
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new Error(
    `A backup copies the database's files first: ${inMegabytes(needed)}, and ${inMegabytes(free)} are free in ${root}.`,
  )
}

/**
 * Asks the server process that holds `dataDir` for a copy of its database.
 * @returns a data folder, the copy in its `postgres`, and a function that removes the copy
 * @throws Error with the server's sentence when the server makes none
 */
export async function requestSnapshot(dataDir: string): Promise<{ readonly folder: string; release(): void }> {
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
