import type { FastifyInstance } from 'fastify'
import { DAY } from '../../src/domain/granularity'
import { ApiError } from '../api-error'
import type { AppParts } from '../app-parts'
import { NO_SUPPORT_EMAIL } from '../env'

const HIDDEN = { schema: { hide: true } }

/** RFC 9116 wants a time less than a year ahead, at which a copy of the file should no longer be believed. */
const GOOD_FOR = 180 * DAY

/** The app's address for changing a password. */
const CHANGE_PASSWORD = '/settings#change-password'

/** Addresses at which programs look on every site: whom to tell of a weakness, and where a password is changed. */
export function wellKnownRoutes(app: FastifyInstance, { env, clock }: Pick<AppParts, 'env' | 'clock'>): void {
  app.get('/.well-known/security.txt', HIDDEN, (_request, reply) => {
    const { SUPPORT_EMAIL, PUBLIC_URL } = env
    if (SUPPORT_EMAIL === NO_SUPPORT_EMAIL) throw new ApiError('NOT_FOUND', 'There is nothing at this address.')
    // By the day, so that the file is the same for as long.
    const expires = new Date(Math.floor((clock() + GOOD_FOR) / DAY) * DAY).toISOString()
    const lines = [`Contact: mailto:${encodeURI(SUPPORT_EMAIL)}`, `Expires: ${expires}`, 'Preferred-Languages: en', `Canonical: ${PUBLIC_URL}/.well-known/security.txt`] // prettier-ignore
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  app.get('/.well-known/change-password', HIDDEN, (_request, reply) => reply.redirect(CHANGE_PASSWORD, 302))
}
