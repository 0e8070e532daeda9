import type { OwnerId } from '../../domain/ids'
import { base64url } from './base64url'

/** How a push names its owner: SHA-256, base64url. The push service and the notification learn no id. */
export async function ownerHash(owner: OwnerId): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(owner))
  return base64url(new Uint8Array(digest))
}
