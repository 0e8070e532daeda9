import { createHash } from 'node:crypto'
import { chmodSync, realpathSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

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
export function socketAddress(folder: string): string {
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
