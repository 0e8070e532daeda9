import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Every layer but the tests, and what it may import. Types may come from fewer: the lint rules say which. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/contract': ['src/domain'],
  'src/db': ['src/domain', 'src/contract'],
  'src/sync': ['src/domain', 'src/contract', 'src/db'],
  'src/state': ['src/domain', 'src/contract', 'src/db', 'workers'],
  'src/ui': ['src/domain'],
  'src/features': ['src/domain', 'src/contract', 'src/db', 'src/sync', 'src/ui', 'src/state', 'workers'],
  'src/app': ['src/domain', 'src/contract', 'src/db', 'src/sync', 'src/ui', 'src/state', 'src/features', 'workers'],
  sw: ['src/domain', 'src/contract', 'src/db', 'src/sync'],
  workers: ['src/domain', 'src/db', 'src/sync'],
  server: ['src/domain', 'src/contract'],
}

/** A copy of all layers with their boundaries, in which wrong code can be planted without touching the project. */
export interface ScratchCopy {
  readonly folder: string
  /** Writes a file, its path relative to the project's root. */
  plant(path: string, text: string): void
  /** Output of `tsc -b`. */
  types(): string
  /** Output of oxlint, one complaint a line. */
  lint(): string
}

export function scratchCopy(): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-'))
  for (const part of ['.oxlintrc.json', 'server', 'src', 'sw', 'workers']) {
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true })
  }
  // Package by package, so that the compiler's cache inside node_modules is the copy's own.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name))
  }
  // The compiler goes by contents and paths: with its cache copied, it checks only the planted files anew.
  const compiled = join(projectRoot, 'node_modules/.cache/tsc')
  if (existsSync(compiled)) cpSync(compiled, join(folder, 'node_modules/.cache/tsc'), { recursive: true })
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const config = JSON.parse(readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8')) as { compilerOptions: object }
  // Packages at their paths in the copy: at those in the project the cache would know none of them.
  const compilerOptions = { ...config.compilerOptions, preserveSymlinks: true }
  plant('tsconfig.json', JSON.stringify({ ...config, compilerOptions }))
  const run = (file: string, args: readonly string[]) => {
    const done = spawnSync(process.execPath, [join(projectRoot, 'node_modules', file), ...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (done.error !== undefined) throw done.error
    return done.stdout + done.stderr
  }
  return {
    folder,
    plant,
    types: () => run('typescript/bin/tsc', ['-b', '--pretty', 'false', ...Object.keys(LAYERS)]),
    lint: () => run('oxlint/bin/oxlint', ['--format', 'unix', '.']),
  }
}
