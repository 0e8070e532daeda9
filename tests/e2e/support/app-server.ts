import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillFolder } from '../../server/support/prepared-folder'
import { COMPILE_ONCE } from '../../server/support/server-process'
import { startChild, untilReady, type Child } from './child'
import { freePort } from './free-port'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface AppServerOptions {
  /** Folder of a build; the project's own unless said otherwise. */
  readonly dist?: string
  /** The server's port; a free one unless the test had to know it before. */
  readonly port?: number
  /** Variables beside those that every test server gets. */
  readonly env?: Readonly<Record<string, string>>
  /** Puts something into the database, whose tables are there, before the server opens it. */
  readonly prepare?: (dataDir: string) => Promise<void>
}

/** Settings that a restart may change; those left out stay. */
type AppServerChanges = Pick<AppServerOptions, 'dist' | 'env'>

/** The real, built server on a port and a database folder of its own. */
export interface AppServer {
  readonly origin: string
  /** Ends it the hard way, in the middle of whatever it does. */
  kill(): Promise<void>
  /** Starts it again: same port, same database. */
  restart(changes?: AppServerChanges): Promise<void>
  /** Ends it cleanly and removes its database; the exit code. */
  stop(): Promise<number | null>
  output(): string
}

/** By name: browsers make passkeys for no IP address. */
export const originOf = (port: number): string => `http://localhost:${port}`

export async function startAppServer(options: AppServerOptions = {}): Promise<AppServer> {
  const port = options.port ?? (await freePort())
  const origin = originOf(port)
  const data = mkdtempSync(join(tmpdir(), 'e2e-data-'))
  let dist = options.dist ?? join(root, 'dist')
  let env: Readonly<Record<string, string>> = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: data,
    DATABASE_URL: '',
    MARKET_DATA: 'simulated',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_FACTOR: '100',
    ...options.env,
  }
  const start = async (): Promise<Child> => {
    const started = startChild([COMPILE_ONCE, join(dist, 'server/main.js')], env, root)
    await untilReady(started, `${origin}/readyz`)
    return started
  }
  await fillFolder(data)
  await options.prepare?.(data)
  let child = await start()
  return {
    origin,
    async kill() {
      await child.end('SIGKILL')
    },
    async restart(changes = {}) {
      await child.end('SIGTERM')
      dist = changes.dist ?? dist
      env = { ...env, ...changes.env }
      child = await start()
    },
    async stop() {
      const code = await child.end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
      return code
    },
    output: () => child.output(),
  }
}
