import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a server that a test cuts: a TCP proxy. */
export interface CutLine {
  /** The URL that leads to the server over this line. */
  readonly url: string
  /** Connections that were made to it so far. */
  attempts(): number
  /**
   * Ends all connections, and refuses others until `mend`; `silent`: takes them, and nothing comes over them; `frozen`: nor over those
   * that there are, which stay open.
   */
  cut(how?: 'refused' | 'silent' | 'frozen'): Promise<void>
  mend(): Promise<void>
  /** Ends the next so many connections as soon as they carry this text. */
  cutAt(text: string, times: number): void
  close(): Promise<void>
}

/** @param to a URL with a host */
export async function cutLine(to: string): Promise<CutLine> {
  const url = new URL(to)
  const target = { host: url.hostname, port: Number(url.port === '' ? 5432 : url.port) }
  const open = new Set<Socket>()
  let attempts = 0
  let isSilent = false
  let trap = { text: '', times: 0 }
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  }
  const server = createServer((from) => {
    attempts += 1
    keep(from)
    if (isSilent) return
    const onward = connect(target)
    keep(onward)
    from.on('data', (bytes: Buffer) => {
      if (isSilent) return
      if (trap.times === 0 || !bytes.includes(trap.text)) return void onward.write(bytes)
      trap.times -= 1
      from.destroy()
    })
    onward.on('data', (bytes) => from.write(bytes))
    from.on('close', () => onward.destroy())
    onward.on('close', () => from.destroy())
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const end = async () => {
    for (const socket of open) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  const port = await listen(0)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    attempts: () => attempts,
    cut: async (how = 'refused') => {
      isSilent = how !== 'refused'
      if (how === 'frozen') return
      await end()
      if (isSilent) await listen(port)
    },
    mend: async () => {
      await end()
      isSilent = false
      await listen(port)
    },
    cutAt: (text, times) => {
      trap = { text, times }
    },
    close: end,
  }
}
