import type * as z from 'zod'
import type { googleCallbackBody, TokenAnswer } from '../../../src/contract/session'
import type { AppParts } from '../../app-parts'
import { signInOrChallenge, tokensOf } from '../sessions/second-factor'
import type { Visit } from '../sessions/visit'
import { accountOf } from './account-of'
import { identify } from './identify'

/**
 * Signs in whoever brings a code of Google's. That the answer belongs to a sign-in begun in the same browser, `state`
 * says to the browser and PKCE's verifier and the nonce say to us.
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED, GOOGLE_NOT_LINKED, IDENTITY_PROVIDER_UNAVAILABLE; SECOND_FACTOR_REQUIRED;
 *   FORBIDDEN for a disabled account
 */
export async function signInWithGoogle(
  parts: AppParts,
  answer: z.output<typeof googleCallbackBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { database, clock } = parts
  const who = await identify(parts, answer)
  const step = await database.orm.transaction(async (tx) => {
    const now = clock()
    return signInOrChallenge(tx, parts, { userId: await accountOf(tx, who, now), factor: 'google', visit }, now)
  })
  return tokensOf(step)
}
