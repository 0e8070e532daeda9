import type { Size } from './market'

/** How often the worker's job, and merely reading what it reads, are to be done in turns. */
export interface JobOrder {
  readonly size: Size
  readonly rounds: number
  /** Rounds before those that count. */
  readonly warmUp: number
}

/** Milliseconds of each round. */
export interface JobTimes {
  readonly read: number[]
  readonly job: number[]
}

/** Has a worker race its job against reading; the charts that it sends on the way are received and dropped. */
export const raceJob = (order: JobOrder): Promise<JobTimes> =>
  new Promise((resolve, reject) => {
    const worker = new Worker('/job-worker.js')
    worker.addEventListener('error', (event) => reject(new Error(event.message)))
    worker.addEventListener('message', ({ data }: MessageEvent<{ kind: string } & JobTimes>) => {
      if (data.kind !== 'times') return
      worker.terminate()
      resolve({ read: data.read, job: data.job })
    })
    worker.postMessage(order)
  })
