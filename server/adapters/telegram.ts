import * as z from 'zod'
import { reasonOf } from './guarded-post'

/** Answer of Telegram's Bot API to a call. */
type TelegramAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'refused'
      readonly status: number
      /** Telegram's words, such as `Bad Request: chat not found`. */
      readonly description: string
      /** Seconds; null: it does not say. */
      readonly retryAfter: number | null
    }
  | { readonly kind: 'unanswered'; readonly why: string }

/** The operator's bot. */
export interface TelegramBot {
  /**
   * Calls a method of the Bot API. Never rejects.
   * @param timeout milliseconds
   */
  call(method: string, parameters: object, timeout: number, signal?: AbortSignal): Promise<TelegramAnswer>
}

const answerBody = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().min(0).optional() }).optional(),
})

/** @param url origin of the Bot API, without a trailing slash */
export const telegramBot = (token: string, url: string): TelegramBot => ({
  async call(method, parameters, timeout, signal) {
    const limit = AbortSignal.timeout(timeout)
    try {
      // The token is in the address: neither it nor an error that repeats it goes any further.
      const response = await fetch(`${url}/bot${token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        redirect: 'manual',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      const body = answerBody.safeParse(await response.json().catch(() => null))
      if (body.success && body.data.ok) return { kind: 'done', result: body.data.result }
      const { description = '', parameters: asked } = body.success ? body.data : {}
      return { kind: 'refused', status: response.status, description, retryAfter: asked?.retry_after ?? null }
    } catch (error) {
      const { name, cause } = error as { readonly name?: string; readonly cause?: unknown }
      return { kind: 'unanswered', why: name === 'TimeoutError' ? 'TIMEOUT' : reasonOf(cause ?? {}) }
    }
  },
})
