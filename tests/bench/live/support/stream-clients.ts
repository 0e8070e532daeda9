import { fork } from 'node:child_process'
import { bundledProgram } from '../../../server/support/program-files'
import type { ClientOrder, ClientReport } from '../programs/stream-clients'
import { endWithOthers } from './inspected-process'

/** Clients of streams, all in a process of their own. */
export interface StreamClients {
  ask(order: ClientOrder): Promise<ClientReport>
}

export function startStreamClients(): StreamClients {
  const child = fork(bundledProgram('tests/bench/live/programs/stream-clients.ts'), [], { execArgv: [] })
  endWithOthers(child)
  return {
    ask: (order) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('The clients’ process has ended.'))
        child.once('exit', ended)
        child.once('message', (report) => {
          child.off('exit', ended)
          resolve(report as ClientReport)
        })
        child.send(order)
      }),
  }
}
