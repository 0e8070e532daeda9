import { setTimeout as delay } from 'node:timers/promises'
import { seedUsers } from './seed-users'
import { type ServerProcess, startServer } from './server-process'

export interface SandboxKills {
  /** Rounds in which the button was answered before the server died. */
  readonly answered: number
  /** Users whose tier is not the one they have paid for, in words; must be empty. */
  readonly wrong: readonly string[]
}

interface Options {
  /** Of a server with a folder of its own, which the sandbox's customers survive in. */
  readonly variables: Readonly<Record<string, string>>
  readonly rounds: number
  /** Numbers from 0 (inclusive) to 1. */
  readonly random: () => number
}

const SECRET = 'a secret that signs the access tokens of tests'
/** Longest time from pressing a button to killing the server: what it brings about takes about so long. Milliseconds. */
const LATEST_KILL = 60
/** Longest time until a process has delivered the events that an earlier one could not. Milliseconds. */
const SETTLED_TIMEOUT_MS = 20_000

/**
 * A user pays in the sandbox, and cancels, again and again, while the server is killed (SIGKILL) as events arrive. After
 * each restart their tier is what the provider's own page says that they pay for, and that page has not forgotten it.
 */
export async function sandboxKills({ variables: storage, rounds, random }: Options): Promise<SandboxKills> {
  const variables = { ...storage, JWT_SECRET: SECRET }
  const seed = { dataDir: storage['DATA_DIR'] ?? '', databaseUrl: storage['DATABASE_URL'], secret: SECRET }
  const [person] = await seedUsers(seed, [{}])
  const headers = { authorization: `Bearer ${person!.accessToken}` }
  const wrong: string[] = []
  let answered = 0
  let server = await startServer(variables)
  try {
    for (let round = 0; round < rounds; round++) {
      const before = await isPremium(server, headers)
      const page = await pageOf(server, headers, before ? 'portal' : 'checkout')
      const pressed = press(server, page, before ? 'cancel' : 'pay')
      await delay(random() * LATEST_KILL)
      await server.end('SIGKILL')
      const done = await pressed
      if (done) answered++
      server = await startServer(variables)
      const paid = await paysNow(server, headers)
      if (done && paid === before) wrong.push(`round ${round}: what was answered is forgotten`)
      if (!(await becomes(server, headers, paid))) wrong.push(`round ${round}: should be ${paid ? 'Premium' : 'free'}`)
    }
    return { answered, wrong }
  } finally {
    await server.end('SIGKILL')
  }
}

type Headers = Readonly<Record<string, string>>

async function isPremium({ url }: ServerProcess, headers: Headers): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/users/me`, { headers })
  return ((await answer.json()) as { has_premium_access: boolean }).has_premium_access
}

/** Path of the provider's page, which the server names by PUBLIC_URL. */
async function pageOf({ url }: ServerProcess, headers: Headers, kind: 'checkout' | 'portal'): Promise<string> {
  const answer = await fetch(`${url}/api/v1/subscriptions/create-${kind}-session`, { method: 'POST', headers })
  if (answer.status !== 200) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`)
  return new URL(((await answer.json()) as { url: string }).url).pathname
}

/** @returns whether it was answered */
async function press({ url }: ServerProcess, page: string, decision: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}${page}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ decision }),
    })
    return answer.status === 303
  } catch {
    return false
  }
}

/** By the provider's own word: its portal. */
async function paysNow(server: ServerProcess, headers: Headers): Promise<boolean> {
  const html = await (await fetch(`${server.url}${await pageOf(server, headers, 'portal')}`)).text()
  return html.includes('Cancel subscription')
}

async function becomes(server: ServerProcess, headers: Headers, premium: boolean): Promise<boolean> {
  const last = Date.now() + SETTLED_TIMEOUT_MS
  while ((await isPremium(server, headers)) !== premium) {
    if (Date.now() > last) return false
    await delay(50)
  }
  return true
}
