import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { selfSigned } from './certificate'

const deploy = join(import.meta.dirname, '../../deploy')

/** Ports that a proxy of a test listens at and passes on to. */
export interface ProxyPlace {
  /** A folder of the test's own, for certificate, files and sockets. */
  readonly folder: string
  readonly http: number
  readonly https: number
  readonly upstreams: readonly [number, number]
}

/** The program's file, or null where this machine has none; Debian keeps servers where only root looks. */
export const findProgram = (name: string): string | null =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file)) ?? null

/** Text of a file of deploy/ with each of `changes` made; one that finds nothing is a fault. */
function changed(file: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${file} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(deploy, file), 'utf8'),
  )
}

function certificateIn(folder: string) {
  const { key, cert } = selfSigned()
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  writeFileSync(files.key, key, { mode: 0o600 })
  writeFileSync(files.cert, cert)
  return { ...files, ca: cert }
}

/** deploy/nginx.conf for `localhost`, inside the few lines that a Debian puts around it; the file to start nginx with. */
export function nginxFile({ folder, http, https, upstreams }: ProxyPlace): { file: string; ca: string } {
  const { key, cert, ca } = certificateIn(folder)
  const site = changed('nginx.conf', [
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['server_name ratios.example;', 'server_name localhost;'],
    ['/etc/letsencrypt/live/ratios.example/fullchain.pem', cert],
    ['/etc/letsencrypt/live/ratios.example/privkey.pem', key],
    ['127.0.0.1:8081', `127.0.0.1:${upstreams[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${upstreams[1]}`],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    return `${name}_temp_path ${join(folder, name)};`
  })
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')} warn;
events { worker_connections 4096; }
http { access_log off; ${temporary.join(' ')}
${site}}
`,
  )
  return { file, ca }
}

/** deploy/Caddyfile for `localhost` with a certificate of our own, as no authority would sign one. */
export function caddyFile({ folder, http, https, upstreams }: ProxyPlace): { file: string; ca: string } {
  const { key, cert, ca } = certificateIn(folder)
  const site = changed('Caddyfile', [
    ['{$SITE:ratios.example} {', `https://localhost:${https}, https://127.0.0.1:${https} {\n\ttls ${cert} ${key}`],
    ['{$UPSTREAMS:127.0.0.1:8081 127.0.0.1:8082}', upstreams.map((port) => `127.0.0.1:${port}`).join(' ')],
  ])
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tauto_https disable_redirects\n}\n${site}`,
  )
  return { file, ca }
}
