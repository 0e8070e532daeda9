import { startIdentityProvider, type IdentityProvider } from '../../support/identity-provider'
import { startMailbox, type Mailbox } from '../../support/mailbox'
import { originOf, startAppServer, type AppServer, type AppServerOptions } from './app-server'
import { freePort } from './free-port'

/** A server with everything that accounts need of the outside world. */
export interface AccountWorld extends Outside {
  readonly server: AppServer
  stop(): Promise<number | null>
}

interface Outside {
  readonly mailbox: Mailbox
  /** Stands where Google does. */
  readonly google: IdentityProvider
}

/** @param start how the server is started that knows mail server and identity provider by its variables */
export async function withOutside<Started extends { readonly server: AppServer }>(
  start: (options: AppServerOptions & { readonly port: number }) => Promise<Started>,
  options: AppServerOptions = {},
): Promise<Started & AccountWorld> {
  const port = options.port ?? (await freePort())
  const mailbox = await startMailbox()
  const google = await startIdentityProvider([`${options.env?.PUBLIC_URL ?? originOf(port)}/auth/google/callback`])
  const variables = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'app@example.com',
    SUPPORT_EMAIL: 'support@example.com',
    ...google.variables,
  }
  const started = await start({ ...options, port, env: { ...variables, ...options.env } })
  return {
    ...started,
    mailbox,
    google,
    async stop() {
      const code = await started.server.stop()
      await google.stop()
      await mailbox.stop()
      return code
    },
  }
}

export const startAccountWorld = (options: AppServerOptions = {}): Promise<AccountWorld> =>
  withOutside(async (rest) => ({ server: await startAppServer(rest) }), options)
