import type { RegisterAnswer, VerifyEmailAnswer } from '../../contract/session'
import type { AccountRequest, AccountResult } from '../../db/account-request'
import { forgetRegistration, keepRegistration, registrationSecrets } from '../../db/registrations'
import { isStorageFull } from '../../db/storage-full'
import type { EngineEnv } from '../env'
import { send } from '../request'
import { resultOf } from './result'

type Asked<K extends AccountRequest['kind']> = Extract<AccountRequest, { kind: K }>

/** Registers an address, and keeps the secret with which this browser can verify it by the link alone. */
export async function register(env: EngineEnv, { email, password }: Asked<'register'>): Promise<AccountResult> {
  const answer = await send(env, { route: 'register', body: { email, password } }, {})
  if (answer.kind === 'ok') {
    const { registration_secret } = answer.value as RegisterAnswer
    if (registration_secret !== undefined) await keep(env, email, registration_secret)
  }
  return resultOf(answer)
}

/** Without the secret the account is there all the same: the link then asks for the password. */
async function keep({ db, now }: EngineEnv, email: string, secret: string): Promise<void> {
  try {
    await keepRegistration(db, email, secret, now())
  } catch (error) {
    if (!isStorageFull(error)) throw error
  }
}

/** Follows the link of a verification mail, with what this browser knows of its registrations. */
export async function verifyEmail(env: EngineEnv, { token, password }: Asked<'verify-email'>): Promise<AccountResult> {
  const secrets = await registrationSecrets(env.db, env.now())
  const body = {
    token,
    ...(secrets.length > 0 && { registration_secrets: secrets }),
    ...(password !== undefined && { password }),
  }
  const answer = await send(env, { route: 'verifyEmail', body }, {})
  if (answer.kind === 'ok') {
    const { email } = answer.value as VerifyEmailAnswer
    if (email !== undefined) await forgetRegistration(env.db, email)
  }
  return resultOf(answer)
}
