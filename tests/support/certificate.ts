import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/*
 * A certificate for this machine (localhost and 127.0.0.1), signed by itself: X.509 version 3 (RFC 5280, 4.1) written in
 * DER (X.690). Made anew each time, so that none lies about, and without a program that a machine may not have.
 */

export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(element(0x31, sequence(oid(2, 5, 4, 3), element(0x0c, 'localhost'))))
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2))
  const time = (at: number) => element(0x17, `${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`)
  const names = sequence(element(0x82, 'localhost'), element(0x87, Buffer.from([127, 0, 0, 1])))
  const body = sequence(
    element(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(Date.now() - 86_400_000), time(Date.now() + 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(oid(2, 5, 29, 17), element(0x04, names)))),
  )
  const signed = sequence(
    body,
    algorithm,
    element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])),
  )
  const lines = signed.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function element(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  // The shortest form (X.690, 10.1): Chromium refuses any other.
  const long = bytes.length < 0x100 ? [0x81, bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff]
  const size = bytes.length < 0x80 ? [bytes.length] : long
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}
const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, Buffer.concat(parts))
const integer = (value: number): Buffer => element(0x02, Buffer.from([value]))

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const arcs = rest.flatMap((arc) => {
    const digits = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return element(0x06, Buffer.from([first * 40 + second, ...arcs]))
}
