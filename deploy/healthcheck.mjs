// Exits with 0 where the process answers /healthz: on METRICS_PORT where that is set, as a worker has no other, else on PORT.
const { METRICS_PORT = '', PORT = '8080' } = process.env
const address = METRICS_PORT === '' ? PORT : METRICS_PORT
const [, host = '', port] = /^(?:(.*):)?(\d+)$/.exec(address) ?? []
// A process that listens everywhere is asked on this machine.
const asked = ['', '0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host
try {
  const { ok, status } = await fetch(`http://${asked}:${port}/healthz`, { signal: AbortSignal.timeout(4000) })
  if (!ok) process.stderr.write(`/healthz answered ${status}\n`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
