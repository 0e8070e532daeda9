import type { Socket } from 'node:net'
import { Client, Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import { noteOutOfReach, wasAnswered } from './out-of-reach'
import { findServer, hasStandbys, keepsSessions, requireWrites } from './servers'

/** From one attempt to reach a server that is known to be away to the next. Milliseconds. */
const PAUSE = 250

type Lend = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void

/** A connection that is in use and silent for so long may lead to a machine that is gone. Milliseconds. */
const SILENCE = 45_000

/** node-postgres has it below a client; its types leave it out. */
interface WithConnection {
  readonly connection: {
    readonly stream: Socket
    on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void
  }
}

/** For a pooler in transaction mode: the next statement may run on another session, which has none by that name. */
class UnnamedClient extends Client {
  override query = ((statement: string | QueryConfig, ...rest: unknown[]) => {
    const query = Client.prototype.query.bind(this) as (...args: unknown[]) => unknown
    return query(typeof statement === 'string' ? statement : { ...statement, name: undefined }, ...rest)
  }) as Client['query']
}

/**
 * Connections to a PostgreSQL server, of several to the one that takes changes. While it is known to be away one caller at a time tries to reach it, and the others are
 * refused at once: nobody waits in a line for connections that will not come.
 */
export class ServerPool extends Pool {
  /** Why the last attempt failed, and when (`performance.now()`); null: the server has answered it. */
  #away: { readonly error: Error; readonly since: number; triedAt: number } | null = null
  #isTrying = false
  readonly #url: string
  /** The server that connections are made to; null: of several, the one that takes changes is to be found. */
  #server: string | null
  #finding: Promise<string> | null = null
  readonly #logger: FastifyBaseLogger | undefined

  /**
   * @param url DATABASE_URL
   * @param silence milliseconds, for tests
   */
  constructor(url: string, config: PoolConfig, logger: FastifyBaseLogger | undefined, silence = SILENCE) {
    // pg-pool waits for what it returns.
    const onConnect = (client: object): unknown => requireWrites(client as Client)
    super({
      ...config,
      connectionString: url,
      Client: keepsSessions(url) ? Client : UnnamedClient,
      ...(hasStandbys(url) && { onConnect }),
    })
    this.#url = url
    this.#server = hasStandbys(url) ? null : url
    this.#logger = logger
    this.on('connect', (client) => {
      this.#cameBack()
      client.on('error', noteOutOfReach)
      const { connection } = client as unknown as WithConnection
      endWhenGone(connection.stream, this.options.connectionString ?? url, silence)
      connection.on('errorMessage', ({ code }) => {
        // The server has become a standby: another connection may lead to the one that takes writes.
        if (code !== '25006') return
        this.#forgetServer()
        void (client as unknown as Client).end()
      })
    })
  }

  override connect(): Promise<PoolClient>
  override connect(lend: Lend): void
  override connect(lend?: Lend): Promise<PoolClient> | void {
    if (lend === undefined)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (client === undefined) return reject(error)
          takeBackWhenLost(client)
          resolve(client)
        })
      })
    const away = this.idleCount === 0 ? this.#away : null
    if (away !== null && (this.#isTrying || performance.now() - away.triedAt < PAUSE)) {
      const refusal = noteOutOfReach(new Error('The database cannot be reached', { cause: away.error }))
      process.nextTick(lend, refusal, undefined, () => undefined)
      return
    }
    if (away !== null) this.#isTrying = true
    const done: Lend = (error, client, release) => {
      if (away !== null) this.#isTrying = false
      if (client === undefined && error !== undefined) this.#failed(noteOutOfReach(error))
      lend(error, client, release)
    }
    if (this.#server !== null || this.idleCount > 0) return super.connect(done)
    this.#finding ??= findServer(this.#url).finally(() => {
      this.#finding = null
    })
    this.#finding.then(
      (server) => {
        this.#server = this.options.connectionString = server
        super.connect(done)
      },
      (error: Error) => done(error, undefined, () => undefined),
    )
  }

  #forgetServer(): void {
    if (hasStandbys(this.#url)) this.#server = null
  }

  #failed(error: Error): void {
    // A server that refuses a connection is there, unless it says that it is only starting.
    const isAway = wasAnswered(error) ? error.code === '57P03' : !/^timeout exceeded|pool/.test(error.message)
    if (!isAway) return
    this.#forgetServer()
    const triedAt = performance.now()
    this.#away = { error, since: this.#away?.since ?? triedAt, triedAt }
  }

  #cameBack(): void {
    if (this.#away === null) return
    const seconds = Math.round((performance.now() - this.#away.since) / 1000)
    this.#away = null
    this.#logger?.warn({ seconds }, 'the database answers again')
  }
}

/**
 * Ends a silent connection where its server does not answer on another: a network loses machines without a word, and their
 * connections would fill the pool for a quarter of an hour. A statement that takes long goes on.
 */
function endWhenGone(stream: Socket, server: string, silence: number): void {
  stream.setTimeout(silence)
  stream.on('timeout', () => {
    findServer(server).then(
      () => stream.setTimeout(silence),
      (error: Error) => stream.destroy(error),
    )
  })
}

/** Takes a lost connection back from its holder, who may hold it for ever: Drizzle does where BEGIN failed. */
function takeBackWhenLost(client: PoolClient): void {
  const giveBack = client.release.bind(client)
  const onLoss = () => {
    client.release = () => undefined
    giveBack(true)
  }
  client.release = (why) => {
    client.removeListener('end', onLoss)
    giveBack(why)
  }
  client.once('end', onLoss)
}
