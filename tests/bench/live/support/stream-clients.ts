import { fork } from 'node:child_process'
import { bundledProgram } from '../../../server/support/program-files'
import type { ChurnOrder, ChurnReport } from '../programs/churning-clients'
import type { ClientOrder, ClientReport } from '../programs/stream-clients'
import type { ReturnOrder, ReturnReport } from '../programs/returning-clients'
import { endWithOthers } from './inspected-process'

/** Clients of streams, all in a process of their own. */
export interface StreamClients<Order extends object, Report> {
  ask(order: Order): Promise<Report>
}

/** Clients that hold their streams and count what comes. */
export const startStreamClients = () =>
  startClients<ClientOrder, ClientReport>('tests/bench/live/programs/stream-clients.ts')

/** Clients that come back as the app does. */
export const startReturningClients = () =>
  startClients<ReturnOrder, ReturnReport>('tests/bench/live/programs/returning-clients.ts')

/** Clients that open streams and cut them. */
export const startChurningClients = () =>
  startClients<ChurnOrder, ChurnReport>('tests/bench/live/programs/churning-clients.ts')

function startClients<Order extends object, Report>(program: string): StreamClients<Order, Report> {
  const child = fork(bundledProgram(program), [], { execArgv: [] })
  endWithOthers(child)
  return {
    ask: (order) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('The clients’ process has ended.'))
        child.once('exit', ended)
        child.once('message', (report) => {
          child.off('exit', ended)
          resolve(report as Report)
        })
        child.send(order)
      }),
  }
}
