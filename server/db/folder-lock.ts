import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { messageOf } from '../../src/domain/error-message'

/** Another live process has the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another server. Stop that one, or set DATA_DIR to another folder.`)
  }
}

/** Longest path that a unix socket takes on every system we run on (macOS: 104 bytes with the closing zero). */
const LONGEST_SOCKET_PATH = 100

const endConnection = (socket: Socket): void => {
  socket.end()
}

/**
 * Takes the exclusive right to a folder that exists. The lock is a listening socket, because the kernel closes that
 * when the process ends in whatever way; a lock file would outlive a kill -9.
 *
 * A socket file that a killed process left behind has to be removed, and two processes that start at the same moment
 * could remove each other's. So on Linux an abstract socket, which leaves nothing behind, is taken first; the file is
 * for the systems that lack those, and for containers that share the folder but not the network namespace.
 * @param onConnection gets each connection of another process of this user to the file; without it, they are ended
 * @returns releases the lock
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, onConnection = endConnection): Promise<() => Promise<void>> {
  const servers: Server[] = []
  const release = async () => {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
  try {
    if (process.platform === 'linux') servers.push(await listenAbstract(folder))
    servers.push(await listenOnFile(folder, onConnection))
    return release
  } catch (error) {
    await release()
    throw error
  }
}

async function listenAbstract(folder: string): Promise<Server> {
  // Device and inode name the folder itself, however many paths lead to it.
  const { dev, ino } = statSync(folder, { bigint: true })
  const server = await listen(`\0ratio-tracker-${dev}-${ino}`)
  if (server === null) throw new FolderInUseError(folder)
  return server
}

async function listenOnFile(folder: string, onConnection: typeof endConnection): Promise<Server> {
  const address = socketAddress(folder)
  for (let attempt = 0; attempt < 2; attempt++) {
    const server = await listen(address, onConnection)
    if (server !== null) {
      // Other users of the machine may not connect, wherever the file lies.
      if (process.platform !== 'win32') chmodSync(address, 0o600)
      return server
    }
    if (await answers(address)) break
    rmSync(address, { force: true })
  }
  throw new FolderInUseError(folder)
}

/** The socket file of the process that holds `folder`: the same address for every process of this user. */
function socketAddress(folder: string): string {
  const path = realpathSync(folder)
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  if (process.platform === 'win32') return `\\\\.\\pipe\\ratio-tracker-${hash}`
  const inside = join(path, 'lock.sock')
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside
  return join(tmpdir(), `ratio-tracker-${userInfo().uid}-${hash}.sock`)
}

/** Null when the address is taken. */
function listen(address: string, onConnection = endConnection): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen(address, () => {
      server.unref()
      resolve(server)
    })
  })
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Below the data folder: a copy of the database's files, for as long as a backup reads it. */
const SNAPSHOT = 'snapshot'
const REQUEST = 'snapshot'

type Answer = { readonly folder: string } | { readonly error: string }

/**
 * The embedded database belongs to one process, so another process of this user asks the server process for a copy of the
 * files, over the socket that locks the data folder: one line, answered with a line of JSON. The server process removes
 * the copy when that connection ends, however the other process did. There is one copy at a time.
 */
export function serveSnapshots(root: string) {
  const folder = join(root, SNAPSHOT)
  let copyFiles: ((to: string) => Promise<void>) | null = null
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
  /** @param copy copies the database's files to the folder `to`, which does not exist yet */
  const begin = (copy: (to: string) => Promise<void>) => {
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
