import type { AccountRequest, AccountResult } from '../../db/account-request'
import type { EngineEnv } from '../env'
import { type Call, send } from '../request'
import { subscribePush, unsubscribePush } from '../push/switch'
import { asOwner } from './as-owner'
import { deleteAccount } from './delete-account'
import { deleteGuestData } from './delete-guest-data'
import { resetPassword } from './device-token'
import { sendFeedback } from './feedback'
import { loadPolicies } from './policies'
import { register, verifyEmail } from './registration'
import { resultOf } from './result'
import { passSecondFactor, signInWithGoogle, signInWithPassword } from './sign-in'
import { acceptPolicies, reloadUser } from './user'

/** Asks the server what a person asks of it about an account, and brings the answer home. A refusal is a result. */
export async function answerAccount(env: EngineEnv, request: AccountRequest): Promise<AccountResult> {
  const plain = async (call: Call): Promise<AccountResult> => resultOf(await send(env, call, {}))
  switch (request.kind) {
    case 'log-in':
      return signInWithPassword(env, request)
    case 'second-factor':
      return passSecondFactor(env, request)
    case 'google':
      return signInWithGoogle(env, request)
    case 'register':
      return register(env, request)
    case 'verify-email':
      return verifyEmail(env, request)
    case 'resend-verification':
      return plain({ route: 'resendVerification', body: { email: request.email } })
    case 'request-reset':
      return plain({ route: 'requestPasswordReset', body: { email: request.email } })
    case 'reset-password':
      return resetPassword(env, request)
    case 'change-password': {
      const body = { current_password: request.current, new_password: request.password }
      return resultOf((await asOwner(env, request.owner, { route: 'changePassword', body })).answer)
    }
    case 'accept-policies':
      return acceptPolicies(env, request)
    case 'delete-account':
      return deleteAccount(env, request)
    case 'delete-guest-data':
      return deleteGuestData(env, request)
    case 'feedback':
      return sendFeedback(env, request.message)
    case 'reload-account':
      return reloadUser(env)
    case 'load-policies':
      return loadPolicies(env)
    case 'subscribe-push':
      return subscribePush(env, request.subscription)
    case 'unsubscribe-push':
      return unsubscribePush(env, request.endpoint)
  }
}
