import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { channelRoutes } from '../../src/contract/channels'
import { API_BASE } from '../../src/contract/routes'
import type { AppDeps } from '../app-deps'
import { serve, serveChange } from '../http/serve'
import {
  createChannel,
  deleteChannel,
  listChannels,
  rotateSecret,
  testChannel,
  updateChannel,
} from '../services/channels/own-channels'
import { stopMails } from '../services/channels/record-message'
import { escapeHtml, PRODUCT } from '../services/mail/mail-templates'

/** An owner's ways to be told of alerts beside web push. */
export async function serveChannels(app: FastifyInstance, deps: AppDeps): Promise<void> {
  serve(app, channelRoutes.listChannels, ({ caller }) => listChannels(deps, caller))
  serveChange(app, deps, channelRoutes.createChannel, (request, { body }) => createChannel(deps, request, body))
  serveChange(app, deps, channelRoutes.updateChannel, (request, { params, body }) =>
    updateChannel(deps, request, params.id, body),
  )
  serveChange(app, deps, channelRoutes.deleteChannel, (request, { params }) => deleteChannel(deps, request, params.id))
  serve(app, channelRoutes.testChannel, ({ caller, params }) => testChannel(deps, caller, params.id))
  serve(app, channelRoutes.rotateSecret, ({ caller, params }) => rotateSecret(deps, caller, params.id))
  await app.register(async (pages) => serveUnsubscribe(pages, deps))
}

const UNSUBSCRIBE = `${API_BASE}/alerts/channels/:id/unsubscribe`
const paramsOf = z.object({ id: z.uuid() })
const queryOf = z.object({ token: z.string().min(1).max(100) })
const HIDDEN = { schema: { hide: true, params: paramsOf, querystring: queryOf }, config: { identity: 'none' } } as const

/**
 * The address of List-Unsubscribe in mails of alerts (RFC 8058): a mail program posts to it, without a login and in either
 * encoding of forms, and a reader who opens it is asked first, since programs that scan mails open links as well.
 */
function serveUnsubscribe(app: FastifyInstance, deps: Pick<AppDeps, 'database' | 'clock'>): void {
  app.removeAllContentTypeParsers()
  // The token says all.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))

  app.get(UNSUBSCRIBE, HIDDEN, async (_request, reply) => {
    const form = '<form method="post"><button>Stop these mails</button></form>'
    return reply.type('text/html; charset=utf-8').send(page('Stop mails of alerts?', form))
  })
  app.post(UNSUBSCRIBE, HIDDEN, async (request, reply) => {
    const { id } = paramsOf.parse(request.params)
    await stopMails(deps.database, id, queryOf.parse(request.query).token, deps.clock())
    const said = '<p>Alerts are no longer mailed to you. Settings switches the mails on again.</p>'
    return reply.type('text/html; charset=utf-8').send(page('Mails of alerts are off', said))
  })
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1><p>${PRODUCT}</p>${body}</body></html>
`
