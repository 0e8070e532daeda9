import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../server/version'
import { projectRoot } from './scratch-copy'

interface PackageJson {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as PackageJson

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'))
  copyFileSync(join(projectRoot, 'package-lock.json'), join(folder, 'package-lock.json'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What `npm ci` would say about this package.json, without touching the network or node_modules. */
function rehearseInstall(changed: Partial<PackageJson>) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changed }))
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const done = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (done.error !== undefined) throw done.error
  return { status: done.status, said: done.stderr }
}

describe('npm ci', () => {
  it('npm ci accepts the lock file without a warning about engines or deprecated packages', () => {
    const { status, said } = rehearseInstall({})
    expect(said).not.toMatch(/EBADENGINE|deprecated/)
    expect(status).toBe(0)
  })
  it('npm ci warns with EBADENGINE if package.json asks for a newer Node.js', { tags: ['full'] }, () => {
    expect(rehearseInstall({ engines: { node: '>=999' } }).said).toMatch(/EBADENGINE/)
  })
  it('npm ci fails if a dependency in package.json does not match the lock file', { tags: ['full'] }, () => {
    expect(rehearseInstall({ dependencies: { ...manifest.dependencies, wouter: '1.0.0' } }).status).not.toBe(0)
  })
})

describe('package.json', () => {
  it('package.json and the start script ask for the same minimum Node.js version, 20.19', () => {
    expect(manifest.engines.node).toBe('>=20.19.0')
    expect(readFileSync(join(projectRoot, 'server/cli/install.mjs'), 'utf8')).toContain('NODE_FLOOR = [20, 19]')
  })
  it('package.json has the version that the server reports', () => {
    expect(VERSION).toBe(manifest.version)
  })
  it('package.json pins every dependency to an exact version', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })
})
