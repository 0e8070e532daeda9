import { afterAll, afterEach, expect, test } from 'vitest'
import { telegramBot } from '../../server/adapters/telegram'
import { startJobs } from '../../server/jobs/periodic'
import { telegramJob } from '../../server/services/channels/link-chats'
import type { Channel } from '../../src/contract/channels'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import {
  addChannel,
  type AnsweredChannel,
  channelRow,
  channelsOf,
  crossing,
  deliver,
  me,
  outcomes,
  server,
  setChannelScene,
  widget,
} from './support/channel-scene'
import { key, verdict } from './support/person'
import { BOT_TOKEN, startTelegram, type TelegramStandIn } from './support/telegram-stand-in'

let telegram: TelegramStandIn
setChannelScene(async () => {
  telegram = await startTelegram()
  return telegram.variables
})
afterAll(() => telegram.stop())

const ADA = { id: 77, first_name: 'Ada', last_name: 'Lovelace', username: 'ada' }
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** A process that may poll. @returns ends it */
async function startPolling(): Promise<() => Promise<void>> {
  // Past the pause that the job's last run has left.
  server.clock.advance(10_000)
  const bot = telegramBot(BOT_TOKEN, telegram.variables.TELEGRAM_API_URL)
  const jobs = await startJobs(server, [telegramJob({ ...server, bot })])
  ending.push(jobs.stop)
  return jobs.stop
}
const codeOf = ({ link = '' }: Channel): string => {
  expect(link).toMatch(/^https:\/\/t\.me\/ratio_bot\?start=[\w-]{22}$/)
  return new URL(link).searchParams.get('start') ?? ''
}
const put = (id: string, body: object) => me.ask<AnsweredChannel>('PUT', `/alerts/channels/${id}`, body, key(undefined))
const LIMIT = { timeout: 20_000, interval: 20 }

/** A chat that its owner has confirmed. */
async function linked(chat = ADA): Promise<Channel> {
  await startPolling()
  const made = await addChannel({ kind: 'telegram' })
  telegram.write(chat, `/start ${codeOf(made)}`)
  await expect.poll(async () => (await channelsOf()).find(({ id }) => id === made.id)?.name, LIMIT).toBeTruthy()
  expect((await put(made.id, { state: 'on' })).status).toBe(200)
  return made
}

test('a chat that opens the link is named in the app, and gets alerts once its owner has confirmed it there', async () => {
  await startPolling()
  const made = await addChannel({ kind: 'telegram' })
  const code = codeOf(made)
  expect(made).toMatchObject({ state: 'off', name: null })
  expect(verdict(await put(made.id, { state: 'on' }))).toEqual([422, 'VALIDATION_ERROR'])
  telegram.write(ADA, `/start ${code}`)
  await expect.poll(async () => (await channelsOf())[0]?.name, LIMIT).toBe('Ada Lovelace (@ada)')
  await crossing()
  await deliver()
  const before = telegram.said.length
  expect(telegram.said.some(({ text }) => text.includes('BTC'))).toBe(false)
  expect((await put(made.id, { state: 'on' })).body).toMatchObject({ state: 'on' })
  await crossing({ epoch: 1 })
  await deliver()
  expect(telegram.said.slice(before)).toEqual([
    {
      chat_id: '77',
      text: `Sell alert: BTC / ETH. Ratio 21.5000 is above 21.0000.\n${server.env.PUBLIC_URL}/chart/${widget}`,
    },
  ])
})

test('a link is good once, for five minutes, and for no other chat', async () => {
  await startPolling()
  const [used, old] = [await addChannel({ kind: 'telegram' }), await addChannel({ kind: 'telegram' })]
  const answered = async (chat: typeof ADA, made: Channel) => {
    const before = telegram.said.length
    telegram.write(chat, `/start ${codeOf(made)}`)
    await expect.poll(() => telegram.said.length, LIMIT).toBe(before + 1)
    return telegram.said.at(-1)?.text
  }
  expect(await answered(ADA, used)).toContain('confirm this chat')
  expect(await answered({ ...ADA, id: 78, first_name: 'Eve' }, used)).toContain('too old')
  server.clock.advance(5 * MINUTE)
  expect(await answered(ADA, old)).toContain('too old')
  expect(new Set((await channelsOf()).map(({ name }) => name))).toEqual(new Set(['Ada Lovelace (@ada)', null]))
})

test('a chat that blocks the bot ends its channel: by Telegram’s news, and by a 403 before those are read', async () => {
  const stop = await startPolling()
  const made = await linked()
  telegram.block(ADA)
  await expect.poll(async () => (await channelsOf())[0]?.state, LIMIT).toBe('ended')
  await stop()
  for (const end of ending.splice(0)) await end()
  await put(made.id, { state: 'on' })
  await crossing()
  await deliver()
  expect(await channelsOf()).toMatchObject([{ state: 'ended', last_failure: { reason: 'blocked' } }])
  expect(await outcomes()).toEqual(['channel-off'])
})

test('Telegram’s retry_after is kept, and the message is sent then', async () => {
  await linked({ ...ADA, id: 79 })
  telegram.slowDown(90)
  await crossing()
  await deliver()
  expect((await channelRow()).free_at.getTime() - server.clock()).toBe(90_000)
  telegram.slowDown(null)
  server.clock.advance(90_000)
  await deliver()
  expect(await outcomes()).toEqual(['sent'])
  server.clock.advance(HOUR)
})

test.skipIf(!process.env['TEST_DATABASE_URL'])(
  'of two processes one polls, and what it had not confirmed when it ended the other reads',
  async () => {
    const first = await startPolling()
    await startPolling()
    const made = await addChannel({ kind: 'telegram' })
    const before = telegram.conflicts()
    await first()
    server.clock.advance(10_000)
    telegram.write({ ...ADA, id: 80 }, `/start ${codeOf(made)}`)
    await expect.poll(async () => (await channelsOf())[0]?.name, LIMIT).toBe('Ada Lovelace (@ada)')
    expect(telegram.conflicts()).toBe(before)
  },
)
