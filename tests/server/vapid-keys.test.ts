import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import webpush from 'web-push'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { vapidOf } from '../../server/services/push/vapid-keys'
import { isVapidPair, newVapidKeys } from '../../server/vapid'
import { vapidRefusal } from '../support/vapid'
import { TEST_VAPID } from './support/test-vapid'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratio-vapid-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const vapid = (variables: Record<string, string> = {}) => vapidOf(loadEnv({ DATA_DIR: folder, ...variables }))

test('configured VAPID keys are used, and no file is written', () => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = TEST_VAPID
  expect(vapid(TEST_VAPID)).toMatchObject({ publicKey, privateKey })
  expect(readdirSync(folder)).toEqual([])
})

test('without configured VAPID keys, a working pair is generated once per data folder, in a file with mode 600', async () => {
  const made = vapid()
  expect(vapid()).toEqual(made)
  expect(readdirSync(folder)).toEqual(['ratio-tracker', 'vapid-keys.json'])
  expect(statSync(join(folder, 'vapid-keys.json')).mode & 0o777).toBe(0o600)
  const { Authorization } = webpush.getVapidHeaders(
    'https://push.example',
    made.subject,
    made.publicKey,
    made.privateKey,
    'aes128gcm',
  )
  expect(await vapidRefusal(Authorization, 'https://push.example', made.publicKey)).toBeNull()
})

test('a thousand generated VAPID key pairs are all valid, and all different', () => {
  const pairs = Array.from({ length: 1_000 }, newVapidKeys)
  expect(pairs.filter((pair) => !isVapidPair(pair))).toEqual([])
  expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(1_000)
})

test('reading a vapid-keys.json that holds no valid pair fails and leaves the file unchanged', () => {
  const file = join(folder, 'vapid-keys.json')
  const [a, b] = [newVapidKeys(), newVapidKeys()]
  for (const text of [
    '',
    '{',
    '[]',
    '{"publicKey":"x","privateKey":"y"}',
    JSON.stringify({ ...a, privateKey: b.privateKey }),
  ]) {
    writeFileSync(file, text)
    expect(() => vapid(), text).toThrow(`${file} does not hold a pair of keys`)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})

test('the VAPID subject is VAPID_SUBJECT, else an https PUBLIC_URL, else the support email address', () => {
  expect(vapid({ VAPID_SUBJECT: 'mailto:push@ratio.example' }).subject).toBe('mailto:push@ratio.example')
  expect(vapid({ SUPPORT_EMAIL: 'help@ratio.example' }).subject).toBe('mailto:help@ratio.example')
  const own = { PUBLIC_URL: 'https://ratio.localhost', SUPPORT_EMAIL: 'help@ratio.example' }
  expect(vapid(own).subject).toBe('https://ratio.localhost')
})
