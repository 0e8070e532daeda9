import { vi } from 'vitest'
import type { TokenAnswer } from '../../../src/contract/session'
import { PASSWORD } from './accounts'

/** Waits for a mail of a server in the sandbox, and finds the token of its link. */
async function tokenMailedTo(url: string, email: string): Promise<string> {
  const found = async () => {
    const list = await (await fetch(`${url}/sandbox/mail`)).text()
    const [, address] = /href="(\/sandbox\/mail\/[^"]+)">Confirm your email address</.exec(list) ?? []
    if (address === undefined || !list.includes(`to ${email}`)) throw new Error(`No mail came to ${email}: ${list}`)
    return address
  }
  const address = await vi.waitFor(found, { timeout: 30_000, interval: 50 })
  const mail = await (await fetch(`${url}${address}`)).text()
  return /\/verify-email\?token=([\w-]{43})"/.exec(mail)?.[1] ?? ''
}

/**
 * Registers at a server whose mails go into the sandbox, follows the link of the mail, and signs in.
 * @param url such as http://localhost:41233
 * @returns the headers of the signed-in user's requests
 */
export async function accountAt(url: string, email: string): Promise<{ readonly authorization: string }> {
  const post = async <T>(path: string, body: object | URLSearchParams): Promise<T> => {
    const form = body instanceof URLSearchParams
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      ...(form ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  await post('/users/register', { email, password: PASSWORD })
  await post('/users/verify-email', { token: await tokenMailedTo(url, email), password: PASSWORD })
  const form = new URLSearchParams({ username: email, password: PASSWORD })
  const { access_token } = await post<TokenAnswer>('/auth/login', form)
  return { authorization: `Bearer ${access_token}` }
}
