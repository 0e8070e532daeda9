import type { AlertData } from '../../domain/alert-notification'
import type { EngineEnv } from '../env'

/** Takes away what is still shown of alerts of somebody who does not use this browser any more. */
export async function tidyNotifications({ db, push }: EngineEnv): Promise<void> {
  const shown = (await push?.shown()) ?? []
  if (shown.length === 0) return
  const session = await db.session.get('current')
  for (const notification of shown) {
    const data = notification.data as AlertData | null
    if (data !== null && data.owner !== session?.owner) notification.close()
  }
}
