import { expect } from 'vitest'
import { bearer, deviceHeader } from './accounts'
import { addPasskey, firstStep, secondStep } from './passkeys'
import type { TestApp } from './test-app'

/** An account, and how the test remembers its secrets and fails statements about a table. */
interface Confidential {
  readonly email: string
  readonly password: string
  /** Remembers a value that no log line may contain, and returns the value. */
  readonly secret: (name: string, value: string) => string
  readonly without: (table: string, work: () => Promise<void>) => Promise<void>
}

/** Passkeys and recovery codes, at every step well and badly, and a known device. */
export async function useDevicesAndPasskeys(
  server: TestApp,
  { email, password, secret, without }: Confidential,
): Promise<void> {
  let tries = 0
  const { body: first } = await server.logIn(email, password)
  const device = deviceHeader(secret('device token', first.device_token ?? ''))
  await server.logIn(email, password, undefined, device)
  await without('known_devices', async () => void (await server.logIn(email, password, undefined, device)))
  await server.ask('GET', `/users/me?device_token=${first.device_token}`, undefined, {
    ...bearer(first.access_token),
    ...device,
  })

  const { key, added } = await addPasskey(server, first)
  for (const [i, code] of (added.recovery_codes ?? []).entries()) {
    secret(`recovery code ${i}`, code)
    secret(`recovery code ${i}, as it is hashed`, code.replaceAll('-', ''))
  }
  const [code = ''] = added.recovery_codes ?? []
  const step = async () => {
    tries += 1
    const { ticket, options } = await firstStep(server, email, password)
    secret(`ticket ${tries}`, ticket)
    secret(`challenge ${tries}`, options.challenge)
    const assertion = key.get({ challenge: options.challenge })
    secret(`signature ${tries}`, assertion.response.signature)
    secret(`client data ${tries}`, assertion.response.clientDataJSON)
    return { ticket, assertion }
  }
  const good = await step()
  await without('passkey_challenges', async () => void (await secondStep(server, good)))
  await without('sessions', async () => void (await secondStep(server, good)))
  expect((await secondStep(server, await step())).status).toBe(200)
  expect((await secondStep(server, good)).status).toBe(403)
  await secondStep(server, {
    ticket: (await step()).ticket,
    recovery_code: secret('a wrong recovery code', 'ABCDE-FGHJK-MNPQR-STVWX'),
  })
  const { ticket } = await step()
  await without('recovery_codes', async () => void (await secondStep(server, { ticket, recovery_code: code })))
  expect((await secondStep(server, { ticket, recovery_code: code })).status).toBe(200)
  await secondStep(server, { ticket: `${ticket}x`, assertion: { id: 'of no form' } })
  await server.ask('DELETE', `/users/me/passkeys/${added.passkey.id}`, undefined, bearer(first.access_token))
}
