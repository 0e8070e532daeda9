import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FolderInUseError, lockFolder } from '../../server/db/folder-lock'
import { temporaryFolder } from './support/for-file'

const root = temporaryFolder()

function folder(name: string): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

test('a data folder is locked once, whichever path or symbolic link names it, and can be locked again after release', async () => {
  const path = folder('plain')
  symlinkSync(path, join(root, 'link'))
  const release = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  await expect(lockFolder(`${path}/../plain/`)).rejects.toThrow('is in use by another server')
  await expect(lockFolder(join(root, 'link'))).rejects.toThrow(FolderInUseError)
  await release()
  await (
    await lockFolder(path)
  )()
})

test('a data folder whose path is too long for a Unix socket can be locked, without a socket file in it', async () => {
  const path = folder('x'.repeat(120))
  const release = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  expect(existsSync(join(path, 'lock.sock'))).toBe(false)
  await release()
})

test('a socket file left behind by a killed process does not prevent locking the data folder', async () => {
  const path = folder('left')
  writeFileSync(join(path, 'lock.sock'), '')
  await (
    await lockFolder(path)
  )()
})

test('a data folder whose lock socket another process listens on, as from another container, cannot be locked', async () => {
  // As another container does that shares the folder but not the network namespace.
  const path = folder('container')
  const holder = createServer().listen(join(path, 'lock.sock'))
  await once(holder, 'listening')
  await expect(lockFolder(path)).rejects.toThrow(FolderInUseError)
  holder.close()
  await once(holder, 'close')
  await (
    await lockFolder(path)
  )()
})

test('of twenty simultaneous attempts to lock one data folder, exactly one succeeds', async () => {
  const path = folder('race')
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(path)))
  const won = tries.filter((result) => result.status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const { value } of won) await value()
})
