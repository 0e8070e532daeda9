import type { FastifyReply } from 'fastify'

/** The sandbox is no part of the API. */
export const HIDDEN = { schema: { hide: true } }

export const page = (reply: FastifyReply, html: string): FastifyReply =>
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html)
