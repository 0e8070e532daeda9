import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOlderNode, nodeFloor } from '../../server/cli/install.mjs'
import { BUNDLING, packagesOfServer } from '../../server/cli/server-bundle.mjs'
import { projectRoot } from './scratch-copy'

interface PackageJson {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        integrity?: string
        resolved?: string
        dev?: boolean
        devOptional?: boolean
        optionalDependencies?: Record<string, string>
      }
    >
  >
}
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as PackageJson

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'))
  copyFileSync(join(projectRoot, 'package-lock.json'), join(folder, 'package-lock.json'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Output of `npm ci` for this package.json, without touching the network or node_modules. */
function rehearseInstall(changed: Partial<PackageJson>) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changed }))
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const done = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (done.error !== undefined) throw done.error
  return { status: done.status, stderr: done.stderr }
}

it('npm ci accepts the lock file without a warning about engines or deprecated packages', () => {
  const { status, stderr } = rehearseInstall({})
  expect(stderr).not.toMatch(/EBADENGINE|deprecated/)
  expect(status).toBe(0)
})
it('the lock file holds the hash of each package, and names no source but the registry', () => {
  const { '': _own, ...packages } = (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock)
    .packages
  const odd = Object.entries(packages).filter(
    ([, { integrity = '', resolved = 'https://registry.npmjs.org/' }]) =>
      !integrity.startsWith('sha512-') || !resolved.startsWith('https://registry.npmjs.org/'),
  )
  expect(odd).toEqual([])
})
it('npm ci warns with EBADENGINE if package.json asks for a newer Node.js', { tags: ['full'] }, () => {
  expect(rehearseInstall({ engines: { node: '>=999' } }).stderr).toMatch(/EBADENGINE/)
})
it('npm ci fails if a dependency in package.json does not match the lock file', { tags: ['full'] }, () => {
  expect(rehearseInstall({ devDependencies: { ...manifest.devDependencies, wouter: '1.0.0' } }).status).not.toBe(0)
})

it('package.json asks for Node.js 20.19 at least, the start script refuses what is older, and the bundle and the types keep to it', () => {
  expect(manifest.engines.node).toBe('>=20.19.0')
  expect(nodeFloor()).toEqual([20, 19])
  expect(manifest.devDependencies['@types/node']).toMatch(/^20\.19\./)
  const refused = ['18.20.8', '20.18.3', '20.19.0', '22.0.0', '24.11.1'].filter(isOlderNode)
  expect(refused).toEqual(['18.20.8', '20.18.3'])
})
it('.nvmrc names a version of Node.js that package.json accepts and the documents recommend', () => {
  const named = readFileSync(join(projectRoot, '.nvmrc'), 'utf8').trim()
  expect(isOlderNode(`${named}.0.0`)).toBe(false)
  for (const document of ['README.md', 'CONTRIBUTING.md']) {
    expect(readFileSync(join(projectRoot, document), 'utf8')).toContain(`Node 22 or ${named}`)
  }
})
it('the bundle of the server has the version of package.json and the commit that it is built from', () => {
  const source = "export { COMMIT, VERSION } from './server/program-files'"
  const bundle = buildSync({ ...BUNDLING, stdin: { contents: source, resolveDir: projectRoot }, write: false })
  const commit = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' })
  const text = bundle.outputFiles[0]!.text
  expect(text).toContain(`version: "${manifest.version}"`)
  expect(text).toMatch(new RegExp(`commit: "${commit.stdout.trim() || 'unknown'}(-dirty)?"`))
})
it('package.json pins every dependency to an exact version', () => {
  const versions = Object.values({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})
it('the built server loads packages of "dependencies" alone, those of the sandbox and of exchanges only when they are asked for', async () => {
  const loaded = await packagesOfServer()
  const missing = [...loaded.keys()].filter((name) => !(name in manifest.dependencies))
  expect(missing.toSorted()).toEqual(Object.keys(manifest.optionalDependencies).toSorted())
  expect(missing.map((name) => loaded.get(name))).toEqual(missing.map(() => 'lazy'))
})
it('every package of "dependencies" is loaded by the built server', async () => {
  // Required by its name, since its compiled part may lie beside the server.
  const loaded = ['@node-rs/argon2', ...(await packagesOfServer()).keys()]
  expect(Object.keys(manifest.dependencies).filter((name) => !loaded.includes(name))).toEqual([])
})
it('an installation for production needs no optional package but the sandbox’s, the exchanges’ and the compiled part of argon2', () => {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock
  const roots = Object.entries(packages).filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
  const optional = new Set(roots.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies)))
  // ccxt asks for bufferutil and fflate where they are there; pg asks for its own in Cloudflare's workers alone.
  expect([...optional].filter((name) => !name.startsWith('@node-rs/argon2-')).toSorted()).toEqual([
    'bufferutil',
    'ccxt',
    'fflate',
    'oidc-provider',
    'pg-cloudflare',
  ])
})
