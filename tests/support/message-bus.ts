import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A session bus (D-Bus) of a test's own. */
export interface MessageBus {
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
export async function startMessageBus(): Promise<MessageBus> {
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
