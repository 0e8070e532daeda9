import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/* A PostgreSQL that survives the loss of a machine, of Debian's packages: two servers under Patroni, etcd, and HAProxy. */

const PROGRAMS = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' }
const NAMES = ['a', 'b'] as const
type Name = (typeof NAMES)[number]

/** Seconds after which a leader that says nothing has lost its place, and those from one look of a Patroni to the next. */
const LEADER_TTL = 20
const LOOP_WAIT = 2

/** The folder of PostgreSQL's programs; undefined: one of the programs is not on this machine. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root) || !Object.values(PROGRAMS).every((program) => existsSync(program))) return undefined
  const newest = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : join(root, newest, 'bin')
}

export interface Cluster {
  /** Both servers by name, for a client that looks for the one that takes changes. */
  readonly hosts: string
  /** HAProxy before them, which leads to the one that takes changes. */
  readonly proxy: string
  /** Kills the machine of the primary: Patroni, PostgreSQL and all its processes at once. @returns its name */
  killPrimary(): Promise<Name>
  /** Starts a killed machine again. */
  revive(name: Name): void
  /** Waits until there is a primary and a standby that has all it has. */
  untilWhole(): Promise<void>
  end(): Promise<void>
}

interface Member {
  readonly state: string
  readonly role: string
  readonly sync_standby?: boolean
}

/** @param programs the folder of `postgresPrograms` */
export async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'patroni-'))
  const [etcdPort, peerPort, proxyPort, ...ports] = await freePorts(7)
  const place = { a: { sql: ports[0]!, rest: ports[1]! }, b: { sql: ports[2]!, rest: ports[3]! } }
  const user = process.getuid?.() === 0 ? userId('postgres') : undefined
  chmodSync(folder, 0o755)
  const running = new Map<string, ChildProcess>()
  const start = (name: string, program: string, args: readonly string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: 'ignore', ...(user && { uid: user.uid, gid: user.gid }) })
    running.set(name, child)
  }
  const owned = (path: string, make: () => void) => {
    make()
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const etcdData = owned(join(folder, 'etcd'), () => mkdirSync(join(folder, 'etcd')))
  const client = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  const etcd = {
    'data-dir': etcdData,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'log-level': 'error',
  }
  start(
    'etcd',
    PROGRAMS.etcd,
    Object.entries(etcd).flatMap(([name, value]) => [`--${name}`, value]),
  )
  const revive = (name: Name) => {
    const home = join(folder, name)
    if (!existsSync(home)) owned(home, () => mkdirSync(home, { mode: 0o700 }))
    const file = join(folder, `${name}.yml`)
    writeFileSync(file, memberConfiguration(name, home, place[name], etcdPort!, programs))
    start(name, PROGRAMS.patroni, [file])
  }
  for (const name of NAMES) revive(name)
  const proxyFile = join(folder, 'haproxy.cfg')
  writeFileSync(proxyFile, proxyConfiguration(proxyPort!, place))
  start('haproxy', PROGRAMS.haproxy, ['-db', '-f', proxyFile])

  const members = async (): Promise<readonly (Member & { readonly name: Name })[]> => {
    const asked = NAMES.map(async (name) => {
      const answer = await fetch(`http://127.0.0.1:${place[name].rest}/patroni`, { signal: AbortSignal.timeout(2_000) })
      return { ...((await answer.json()) as Member), name }
    })
    const answers = await Promise.allSettled(asked)
    return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }
  const untilWhole = async () => {
    for (;;) {
      const all = await members()
      const isPrimary = ({ role, state }: Member) => (role === 'master' || role === 'primary') && state === 'running'
      if (all.some(isPrimary) && all.some((one) => one.sync_standby === true)) return
      await delay(200)
    }
  }
  return {
    hosts: `postgres://postgres:super@127.0.0.1:${place.a.sql},127.0.0.1:${place.b.sql}/postgres?target_session_attrs=read-write`,
    proxy: `postgres://postgres:super@127.0.0.1:${proxyPort}/postgres`,
    revive,
    untilWhole,
    killPrimary: async () => {
      const primary = (await members()).find(({ role }) => role === 'master' || role === 'primary')
      if (primary === undefined) throw new Error('There is no primary to kill')
      running.get(primary.name)?.kill('SIGKILL')
      killServer(join(folder, primary.name, 'data'))
      return primary.name
    },
    end: async () => {
      for (const name of ['haproxy', ...NAMES]) running.get(name)?.kill('SIGKILL')
      for (const name of NAMES) killServer(join(folder, name, 'data'))
      running.get('etcd')?.kill('SIGKILL')
      await Promise.all([...running.values()].map(hasEnded))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const hasEnded = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Kills a PostgreSQL server and all its processes, as the loss of its machine does. */
function killServer(data: string): void {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const postmaster = readFileSync(file, 'utf8').split('\n')[0] ?? ''
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster, '--pid', postmaster], { encoding: 'utf8' })
  for (const pid of children.trim().split(/\s+/)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function userId(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const memberConfiguration = (
  name: Name,
  home: string,
  at: { sql: number; rest: number },
  etcd: number,
  programs: string,
) => `
scope: ratios
name: ${name}
restapi: { listen: '127.0.0.1:${at.rest}', connect_address: '127.0.0.1:${at.rest}' }
etcd3: { host: '127.0.0.1:${etcd}' }
bootstrap:
  dcs:
    ttl: ${LEADER_TTL}
    loop_wait: ${LOOP_WAIT}
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, use_slots: true, parameters: { wal_log_hints: 'on' } }
  initdb: [{ encoding: UTF8 }, { locale: C }, data-checksums]
postgresql:
  listen: '127.0.0.1:${at.sql}'
  connect_address: '127.0.0.1:${at.sql}'
  bin_dir: ${programs}
  data_dir: ${home}/data
  pgpass: ${home}/pgpass
  authentication:
    superuser: { username: postgres, password: super }
    replication: { username: replicator, password: replicator }
    rewind: { username: postgres, password: super }
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
  parameters: { unix_socket_directories: '${home}', max_connections: 100 }
`

const proxyConfiguration = (port: number, place: Readonly<Record<Name, { sql: number; rest: number }>>) => `
defaults
  mode tcp
  timeout connect 3s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${NAMES.map((name) => `  server ${name} 127.0.0.1:${place[name].sql} check port ${place[name].rest}`).join('\n')}
`
