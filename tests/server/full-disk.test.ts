import { expect, onTestFinished, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { fullDisk } from './support/full-disk'
import { runToEnd, startServer } from './support/server-process'
import { newGuest } from './support/guest'
import { readyFolder } from './support/test-storage'

/** A small share of tests/bars/full-disk.bars.ts, on a disk whose every write fails. */
test(
  'on a full disk the server process ends with code 1 and the reason, as does each start, until there is room; then every acknowledged row is there',
  { tags: ['full'] },
  async () => {
    const storage = await readyFolder()
    const disk = fullDisk()
    onTestFinished(async () => {
      await storage.remove()
      disk.remove()
    })
    const variables = { ...storage.variables, ...disk.variables }
    const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
    const add = async (url: string, coin_b_id: string) => {
      const body = JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id })
      return (await fetch(`${url}/api/v1/widgets`, { method: 'POST', headers, body })).status
    }

    const first = await startServer(variables)
    expect(await add(first.url, 'ethereum')).toBe(201)
    disk.fill()
    // The server may end before it answers.
    expect(await add(first.url, 'solana').catch(() => 500)).toBe(500)
    expect(await first.ended).toBe(1)
    expect(first.output()).toMatch(/The embedded database stopped: .*No space left on device/)

    const refused = await runToEnd(variables)
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*(No space left on device|ENOSPC)/),
    ])

    disk.freeSpace()
    const second = await startServer(variables)
    const listed = await fetch(`${second.url}/api/v1/widgets`, { headers })
    expect((await listed.json()) as Widget[]).toMatchObject([{ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }])
    expect(await add(second.url, 'solana')).toBe(201)
    expect(await second.end('SIGTERM')).toEqual({ code: 0 })
  },
)
