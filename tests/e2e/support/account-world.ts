import { startIdentityProvider, type IdentityProvider } from '../../support/identity-provider'
import { startMailbox, type Mailbox } from '../../support/mailbox'
import { originOf, startAppServer, type AppServer, type AppServerOptions } from './app-server'
import { freePort } from './free-port'

export const SUPPORT = 'support@example.com'

/** A server with everything that accounts need of the outside world. */
export interface AccountWorld {
  readonly server: AppServer
  readonly mailbox: Mailbox
  /** Stands where Google does. */
  readonly google: IdentityProvider
  stop(): Promise<number | null>
}

export async function startAccountWorld(options: AppServerOptions = {}): Promise<AccountWorld> {
  const port = options.port ?? (await freePort())
  const mailbox = await startMailbox()
  const google = await startIdentityProvider([`${options.env?.PUBLIC_URL ?? originOf(port)}/auth/google/callback`])
  const outside = { SMTP_URL: mailbox.url, MAIL_FROM: 'app@example.com', SUPPORT_EMAIL: SUPPORT, ...google.variables }
  const server = await startAppServer({ ...options, port, env: { ...outside, ...options.env } })
  return {
    server,
    mailbox,
    google,
    async stop() {
      const code = await server.stop()
      await google.stop()
      await mailbox.stop()
      return code
    },
  }
}
