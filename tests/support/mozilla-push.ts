import { randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { WebSocketServer, type WebSocket } from 'ws'
import type { PushChannel, PushService } from './push-service'

/** The side of a push service that browsers of Mozilla's are connected to. */
export interface MozillaPush {
  /** Firefox's `dom.push.serverURL`. */
  readonly url: string
  /** Subscriptions that browsers hold now, oldest first. */
  channels(): readonly PushChannel[]
  /** Versions of messages that a browser says its service worker has been given. */
  readonly acknowledged: readonly string[]
  /** Resolves when browsers have acknowledged so many messages, counted from the start. */
  acknowledgements(count: number, limit?: number): Promise<void>
  /** Cuts every browser off, and lets none in again before `resume`: what is sent meanwhile waits. */
  interrupt(): void
  resume(): void
  /** As when a browser is removed from its machine: what it was subscribed to is over. */
  forgetBrowsers(): void
  stop(): void
}

/** A browser, by the id (UAID) that it was given and brings along whenever it connects. */
interface Browser {
  socket: WebSocket | null
  readonly channels: Map<string, PushChannel>
  /** Messages that are not acknowledged yet, by version. */
  readonly unacknowledged: Map<string, object>
}

type Message =
  | { readonly messageType: 'hello'; readonly uaid?: string }
  | { readonly messageType: 'register'; readonly channelID: string; readonly key?: string }
  | { readonly messageType: 'unregister'; readonly channelID: string }
  | { readonly messageType: 'ack'; readonly updates: readonly { readonly version: string }[] }
  | { readonly messageType: 'broadcast_subscribe' | 'nack' }
  /** A ping. */
  | { readonly messageType?: undefined }

/**
 * Mozilla's push protocol (autopush, https://mozilla-push-service.readthedocs.io/en/latest/design/): WebSocket messages in
 * JSON, a channel for each subscription, messages kept until they are acknowledged. Messages come through `service`.
 */
export function mozillaPush(service: PushService): MozillaPush {
  const browsers = new Map<string, Browser>()
  const acknowledged: string[] = []
  const changes = new EventEmitter()
  let open = true

  const sockets = new WebSocketServer({
    server: service.server,
    handleProtocols: (offered) => (offered.has('push-notification') ? 'push-notification' : false),
    verifyClient: () => open,
  })
  sockets.on('connection', (socket) => {
    let browser: Browser | undefined
    let uaid = ''
    const send = (message: object) => socket.send(JSON.stringify(message))

    function connected(known: string | undefined): Browser {
      uaid = known !== undefined && browsers.has(known) ? known : randomBytes(16).toString('hex')
      const here = browsers.get(uaid) ?? { socket, channels: new Map(), unacknowledged: new Map() }
      here.socket = socket
      browsers.set(uaid, here)
      return here
    }

    socket.on('close', () => {
      if (browser?.socket === socket) browser.socket = null
    })
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message
      if (message.messageType === 'hello') {
        browser = connected(message.uaid)
        send({ messageType: 'hello', status: 200, uaid, use_webpush: true, broadcasts: {} })
        for (const waiting of browser.unacknowledged.values()) send(waiting)
      } else if (browser === undefined) {
        socket.close()
      } else {
        answer(browser, message, send)
      }
    })
  })

  function answer(browser: Browser, message: Message, send: (message: object) => void): void {
    switch (message.messageType) {
      case 'register': {
        const { channelID, key } = message
        const channel = service.channel({
          vapidKey: key ?? null,
          onMessage: (body, headers) => deliver(browser, channelID, body, headers),
        })
        browser.channels.set(channelID, channel)
        return send({ messageType: 'register', channelID, status: 200, pushEndpoint: channel.endpoint })
      }
      case 'unregister': {
        const { channelID } = message
        browser.channels.get(channelID)?.forget()
        browser.channels.delete(channelID)
        return send({ messageType: 'unregister', channelID, status: 200 })
      }
      case 'ack':
        for (const { version } of message.updates) {
          if (browser.unacknowledged.delete(version)) acknowledged.push(version)
        }
        changes.emit('acknowledged')
        return
      case undefined:
        return send({})
      case 'broadcast_subscribe':
      case 'nack':
      case 'hello':
    }
  }

  type Headers = Parameters<Parameters<PushService['channel']>[0]['onMessage']>[1]
  function deliver(browser: Browser, channelID: string, body: Buffer, headers: Headers): void {
    const version = randomUUID()
    const message = {
      messageType: 'notification',
      channelID,
      version,
      ttl: Number(headers.ttl),
      headers: { encoding: headers['content-encoding'] },
      data: body.toString('base64url'),
    }
    browser.unacknowledged.set(version, message)
    browser.socket?.send(JSON.stringify(message))
  }

  return {
    url: `${service.origin.replace(/^http/, 'ws')}/`,
    channels: () => [...browsers.values()].flatMap(({ channels }) => [...channels.values()]),
    acknowledged,
    async acknowledgements(count, limit = 20_000) {
      const signal = AbortSignal.timeout(limit)
      while (acknowledged.length < count) await once(changes, 'acknowledged', { signal })
    },
    interrupt() {
      open = false
      for (const socket of sockets.clients) socket.terminate()
    },
    resume() {
      open = true
    },
    forgetBrowsers() {
      for (const { channels } of browsers.values()) for (const channel of channels.values()) channel.forget()
      browsers.clear()
    },
    stop() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}
