import { EventEmitter, once } from 'node:events'
import dbus from 'dbus-next'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A session bus (D-Bus) of a test's own. */
interface MessageBus {
  /** For DBUS_SESSION_BUS_ADDRESS of whoever is to be on it. */
  readonly address: string
  stop(): Promise<void>
}

const DBUS_DAEMON = 'dbus-daemon'

/** Anybody may say anything to anybody, and nobody is started because somebody was asked for. */
const CONFIG = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=${tmpdir()}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

/** @throws where the program is missing */
async function startMessageBus(): Promise<MessageBus> {
  const folder = mkdtempSync(join(tmpdir(), 'bus-'))
  const config = join(folder, 'session.conf')
  writeFileSync(config, CONFIG)
  const daemon = spawn(DBUS_DAEMON, [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  daemon.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const failed = once(daemon, 'error').then(([error]) => Promise.reject(error as Error))
  const exit = once(daemon, 'exit')
  const firstLine = once(createInterface(daemon.stdout), 'line') as Promise<[string]>
  const ended = exit.then(() => Promise.reject(new Error(`${DBUS_DAEMON} ended before it was ready:\n${said}`)))
  const [address] = await Promise.race([firstLine, failed, ended])
  // From here on its end is what `stop` waits for.
  for (const late of [failed, ended]) late.catch(() => undefined)
  return {
    address,
    async stop() {
      daemon.kill('SIGTERM')
      await exit
      rmSync(folder, { recursive: true })
    },
  }
}

/** A notification as a browser handed it to the desktop. */
interface DesktopNotification {
  readonly id: number
  readonly title: string
  /** May hold markup of the desktop's: links, line breaks. */
  readonly body: string
  /** Labels of the buttons that the desktop shows. */
  readonly buttons: readonly string[]
}

/** Stands where a desktop shows notifications and people click them. */
export interface NotificationDaemon {
  /** DBUS_SESSION_BUS_ADDRESS for a browser. */
  readonly variables: Readonly<Record<string, string>>
  /** Notifications on the screen now, oldest first. */
  shown(): readonly DesktopNotification[]
  /** Every notification that a browser asked for, those that replace another included. */
  readonly asked: readonly DesktopNotification[]
  /** The first notification on the screen, waited for. */
  next(limit?: number): Promise<DesktopNotification>
  /** As a person does, so that a browser takes it for one: on the notification, or on a button by its words. */
  click(notification: DesktopNotification, button?: string): void
  /** As a person does with what they do not want to see. */
  dismiss(notification: DesktopNotification): void
  stop(): Promise<void>
}

const NAME = 'org.freedesktop.Notifications'
const PATH = '/org/freedesktop/Notifications'
/** Reasons why a notification is closed (Desktop Notifications Specification 1.3, NotificationClosed). */
const BY_THE_USER = 2
const BY_CLOSE_CALL = 3

/** The server side of the Desktop Notifications Specification 1.3, on a bus of its own. */
export async function startNotificationDaemon(): Promise<NotificationDaemon> {
  const messages = await startMessageBus()
  const changes = new EventEmitter()
  const screen = new Map<number, DesktopNotification & { readonly keys: ReadonlyMap<string, string> }>()
  const asked: DesktopNotification[] = []
  let lastId = 0

  class Notifications extends dbus.interface.Interface {
    GetCapabilities() {
      return ['actions', 'body', 'persistence']
    }
    GetServerInformation() {
      return ['notifications', 'tests', '1.0', '1.2']
    }
    // oxlint-disable-next-line max-params -- the specification's arguments
    Notify(_app: string, replaces: number, _icon: string, title: string, body: string, actions: readonly string[]) {
      const id = replaces === 0 ? (lastId += 1) : replaces
      const keys = new Map(actions.flatMap((words, i) => (i % 2 === 1 ? [[words, actions[i - 1] ?? '']] : [])))
      const buttons = [...keys].filter(([, key]) => key !== 'default' && key !== 'settings').map(([words]) => words)
      const notification = { id, title, body, buttons, keys }
      screen.set(id, notification)
      asked.push(notification)
      changes.emit('shown')
      return id
    }
    CloseNotification(id: number) {
      close(id, BY_CLOSE_CALL)
    }
    NotificationClosed(id: number, reason: number) {
      return [id, reason]
    }
    ActionInvoked(id: number, key: string) {
      return [id, key]
    }
  }
  Notifications.configureMembers({
    methods: {
      GetCapabilities: { outSignature: 'as' },
      GetServerInformation: { outSignature: 'ssss' },
      Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
      CloseNotification: { inSignature: 'u' },
    },
    signals: { NotificationClosed: { signature: 'uu' }, ActionInvoked: { signature: 'us' } },
  })

  function close(id: number, reason: number): void {
    if (screen.delete(id)) desk.NotificationClosed(id, reason)
  }

  const bus = dbus.sessionBus({ busAddress: messages.address })
  const desk = new Notifications(NAME)
  await bus.requestName(NAME, 0)
  bus.export(PATH, desk)

  return {
    variables: { DBUS_SESSION_BUS_ADDRESS: messages.address },
    shown: () => [...screen.values()],
    asked,
    async next(limit = 15_000) {
      for (;;) {
        const [first] = screen.values()
        if (first !== undefined) return first
        await once(changes, 'shown', { signal: AbortSignal.timeout(limit) })
      }
    },
    click(notification, button) {
      const key = button === undefined ? 'default' : screen.get(notification.id)?.keys.get(button)
      if (key === undefined) throw new Error(`"${notification.title}" has no button "${button}".`)
      desk.ActionInvoked(notification.id, key)
      close(notification.id, BY_THE_USER)
    },
    dismiss: (notification) => close(notification.id, BY_THE_USER),
    async stop() {
      bus.disconnect()
      await messages.stop()
    },
  }
}
