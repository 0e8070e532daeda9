import type { Route } from './routes'
import { changePasswordBody, emailBody, messageAnswer, resetPasswordAnswer, resetPasswordBody } from './session'

/** Another password: by the link of a mail, or with the one that holds. */
export const passwordRoutes = {
  requestPasswordReset: {
    method: 'POST',
    path: '/users/request-password-reset',
    identity: 'none',
    summary: 'Mails a link that resets the password, if there is an account; answers alike in any case',
    body: emailBody,
    status: 200,
    answer: messageAnswer,
  },
  resetPassword: {
    method: 'POST',
    path: '/users/reset-password',
    identity: 'none',
    summary: 'Sets a new password and ends every session of the account',
    body: resetPasswordBody,
    status: 200,
    answer: resetPasswordAnswer,
  },
  changePassword: {
    method: 'POST',
    path: '/users/me/change-password',
    identity: 'user',
    summary: 'Sets a new password, for somebody who knows the old one, and ends every other session of the account',
    body: changePasswordBody,
    status: 200,
    answer: messageAnswer,
  },
} as const satisfies Record<string, Route>
