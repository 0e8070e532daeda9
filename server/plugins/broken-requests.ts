import type { Socket } from 'node:net'
import type { ErrorBody } from '../../src/contract/errors'

const STATUS: Readonly<Record<string, readonly [status: number, reason: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'Address and headers are too long.'],
}

/** Answers what is no HTTP request, in the format of every other error; Fastify never sees these. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, detail] = STATUS[error.code ?? ''] ?? [400, 'Bad Request', 'This is not a valid HTTP request.']
  const body = JSON.stringify({ detail, error_code: 'VALIDATION_ERROR' } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
