import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FullDisk {
  /** Environment of a process that has this disk. */
  readonly variables: { readonly NODE_OPTIONS: string }
  /** The entry of a thread that has this disk. */
  readonly worker: (file: URL) => URL
  fill(): void
  freeSpace(): void
  remove(): void
}

/** A disk that can be filled in a moment: every write of Node's own file system fails with ENOSPC from then on. */
export function fullDisk(): FullDisk {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-disk-'))
  const flag = join(folder, 'is-full')
  const preload = join(folder, 'preload.cjs')
  writeFileSync(
    preload,
    `const fs = require('node:fs')
     const { existsSync } = fs
     for (const name of ['writeSync', 'writeFileSync', 'mkdirSync', 'ftruncateSync']) {
       const done = fs[name]
       fs[name] = (...args) => {
         // Standard output is no file.
         if (args[0] > 2 || typeof args[0] === 'string') {
           if (existsSync(${JSON.stringify(flag)})) throw Object.assign(new Error('ENOSPC: no space left on device, ' + name), { code: 'ENOSPC' })
         }
         return done(...args)
       }
     }
     require('node:module').syncBuiltinESMExports()`,
  )
  return {
    variables: { NODE_OPTIONS: `--require ${preload}` },
    worker: (file) => {
      const load = `import { createRequire } from 'node:module'; createRequire(${JSON.stringify(preload)})(${JSON.stringify(preload)}); await import(${JSON.stringify(file.href)})`
      return new URL(`data:text/javascript,${encodeURIComponent(load)}`)
    },
    fill: () => writeFileSync(flag, ''),
    freeSpace: () => rmSync(flag, { force: true }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
