import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../server/env-variables'
import { caddyFile, findProgram, nginxFile } from '../support/proxies'
import { projectRoot } from './scratch-copy'

const deploy = join(projectRoot, 'deploy')
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const files = readdirSync(deploy)
/** Files without their comments, whose capital words are no variables. */
const bare = (name: string) => read(`deploy/${name}`).replaceAll(/^\s*#.*$/gm, '')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of the operator's machine; the test is skipped, with the reason, where this machine has none. */
function run(skip: (note: string) => void, name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = findProgram(name)
  if (program === null) skip(`this machine has no ${name}`)
  const { status, stdout, stderr } = spawnSync(program ?? '', args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return { status, output: stdout + stderr }
}
const place = () => ({ folder, http: 18_080, https: 18_443, upstreams: [18_081, 18_082] as const })

it('the Containerfile takes the version of Node that .nvmrc names', () => {
  const [, version] = /^ARG NODE_VERSION=(\S+)$/m.exec(read('deploy/Containerfile')) ?? []
  expect(version).toBe(read('.nvmrc').trim())
})

it('every variable that deploy/ sets for the server is one that the server reads', () => {
  const ofOthers =
    /^(POSTGRES_(USER|DB|PASSWORD_FILE)|SITE|UPSTREAMS|PATH|SOURCE_COMMIT|VERSION|NODE_VERSION|BASE|EXTRA_PACKAGES)$/
  const known = Object.keys(variables.shape)
  const set = files
    .filter((name) => /^(compose.*|ratios.*|Containerfile)$/.test(name))
    .flatMap((name) => [...bare(name).matchAll(/(?:^|[\s{])([A-Z][A-Z0-9_]{3,})(?:=|: )/gm)].map(([, set]) => set!))
  expect(set).toContain('JWT_SECRET_FILE')
  const unknown = set.filter((name) => !ofOthers.test(name) && !known.includes(name.replace(/_FILE$/, '')))
  expect(unknown).toEqual([])
})

const units = files.filter((name) => name.endsWith('.service'))
it('systemd-analyze finds no fault in the units, and an exposure below 2.5', ({ skip }) => {
  expect(units).toHaveLength(2)
  for (const unit of units) {
    const instance = join(folder, unit.replace('@', '@8081'))
    copyFileSync(join(deploy, unit), instance)
    const { status, output } = run(skip, 'systemd-analyze', ['verify', '--man=no', instance])
    expect(output).toBe('')
    expect(status).toBe(0)
    const security = run(skip, 'systemd-analyze', ['security', '--offline=true', '--no-pager', instance])
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(security.output)?.[1])).toBeLessThan(2.5)
  }
})

it('nginx accepts nginx.conf without a warning', ({ skip }) => {
  const { file } = nginxFile(place())
  const { status, output } = run(skip, 'nginx', ['-t', '-q', '-e', 'stderr', '-c', file])
  // Newer ones have another directive for HTTP/2, which Debian 12 does not know.
  expect(output.replaceAll(/.*the "listen \.\.\. http2" directive is deprecated.*\n/g, '')).toBe('')
  expect(status).toBe(0)
})

it('Caddy accepts the Caddyfile, and would format it no other way', ({ skip }) => {
  const { file } = caddyFile(place())
  const env = { HOME: folder }
  const valid = run(skip, 'caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env)
  expect(valid.output).toContain('Valid configuration')
  // Of a certificate that no authority has signed.
  const warnings = valid.output.split('\n').filter((line) => /"level":"(warn|error)"/.test(line))
  expect(warnings.filter((line) => !/stapling OCSP|redirects are disabled/.test(line))).toEqual([])
  expect(run(skip, 'caddy', ['fmt', join(deploy, 'Caddyfile')], env).output).toBe(read('deploy/Caddyfile'))
})

it('promtool accepts the alert rules, and each fires and rests as its test says', ({ skip }) => {
  const checked = run(skip, 'promtool', ['check', 'rules', join(deploy, 'prometheus-rules.yaml')])
  expect(checked.status, checked.output).toBe(0)
  const tested = run(skip, 'promtool', ['test', 'rules', join(deploy, 'prometheus-rules.test.yaml')])
  expect(tested.status, tested.output).toBe(0)
  const alerts = (name: string) =>
    [...read(`deploy/${name}`).matchAll(/\balert(?:name)?: (\w+)/g)].map(([, alert]) => alert!)
  expect([...new Set(alerts('prometheus-rules.test.yaml'))].toSorted()).toEqual(
    alerts('prometheus-rules.yaml').toSorted(),
  )
})

it('rules and dashboard read only metrics that the server has, and each alert names a section of the runbook', () => {
  const source = readdirSync(join(projectRoot, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(`server/${path}`))
    .join('\n')
  const had = [...source.matchAll(/\b(?:name: |gauges?\(\s*)'([a-z_]+)',\s/g)].map(([, name]) => name!)
  const ofNode = /^(process_cpu_seconds_total|process_resident_memory_bytes|nodejs_eventloop_lag_p99_seconds)$/
  const rules = read('deploy/prometheus-rules.yaml')
  const board = JSON.parse(read('deploy/grafana.json')) as { panels: { targets?: { expr: string }[] }[] }
  const queries = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const asked = [...rules.split('\n').filter((line) => !/^\s*(#|summary|runbook)/.test(line)), ...queries]
    .flatMap((text) => [...text.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b(?=\{|\[|\)| )/g)].map(([, name]) => name!))
    .filter((name) => !/^(histogram_quantile|label_replace|min_over_time|job_name|exported_job)$/.test(name))
  expect(queries.length).toBeGreaterThan(10)
  expect(asked.length).toBeGreaterThan(20)
  const stems = asked.filter((name) => !ofNode.test(name)).map((name) => name.replace(/_(bucket|count|sum)$/, ''))
  expect(stems.filter((name) => !had.includes(name))).toEqual([])

  const headings = [...read('docs/running/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  const named = [...rules.matchAll(/runbook: docs\/running\/runbook\.md#(\S+)/g)].map(([, anchor]) => anchor!)
  expect(named).toHaveLength([...rules.matchAll(/- alert:/g)].length)
  expect(named.filter((anchor) => !headings.includes(anchor))).toEqual([])
})

interface Service {
  readonly image: string
  readonly restart?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly ports?: readonly string[]
  readonly networks: readonly string[]
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { internal?: boolean }>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { file: string }>>
}

it('services of the compose files write to volumes alone, have no privileges, and get the time that a stop takes', () => {
  for (const name of ['compose.yaml', 'compose.embedded.yaml']) {
    const { services, networks, volumes, secrets } = parse(read(`deploy/${name}`), { merge: true }) as Compose
    for (const [title, service] of Object.entries(services)) {
      expect(service, `${name}, ${title}`).toMatchObject({
        restart: 'always',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(service.networks.filter((network) => !(network in networks))).toEqual([])
      expect((service.secrets ?? []).filter((secret) => !(secret in secrets))).toEqual([])
      const named = (service.volumes ?? [])
        .map((volume) => volume.split(':')[0]!)
        .filter((from) => !from.startsWith('.'))
      expect(named.filter((volume) => !(volume in volumes))).toEqual([])
      // SHUTDOWN_GRACE_SECONDS and the time limit of what is under way (server/programs/main.ts).
      if (service.image.startsWith('ratios')) expect(parseInt(service.stop_grace_period ?? '')).toBeGreaterThan(30)
      expect((service.ports ?? []).filter((port) => !/:(80|443|8080)(\/udp)?$/.test(port))).toEqual([])
    }
    if (name === 'compose.yaml') {
      expect(services['database']!.networks.filter((network) => networks[network]?.internal !== true)).toEqual([])
    }
  }
})
