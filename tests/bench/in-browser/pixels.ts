import { HEIGHT, LOOKS, WIDTH, type LineLook } from './contender'

/** Pixels of a chart's canvases. */
export interface Picture {
  /** Share of the chart's columns, by line, that have a pixel in the line's colour. */
  readonly coverage: Readonly<Record<LineLook['column'], number>>
  /** Changes when any pixel does. */
  readonly digest: string
}

/** How far a channel may be from the line's own: edges are smoothed, and only whole pixels count. */
const NEAR = 24

/** Looks at a chart without reading from its own canvases, which would slow them down from then on. */
export async function pictureOf(host: HTMLElement): Promise<Picture> {
  const pen = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT }).getContext('2d', {
    willReadFrequently: true,
  })
  if (pen === null) throw new Error('No canvas to look at a chart with.')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  const { left, top } = host.getBoundingClientRect()
  for (const canvas of host.querySelectorAll('canvas')) {
    const at = canvas.getBoundingClientRect()
    if (canvas.width > 0 && canvas.height > 0) pen.drawImage(canvas, at.left - left, at.top - top, at.width, at.height)
  }
  const { data } = pen.getImageData(0, 0, WIDTH, HEIGHT)
  return { coverage: coverageOf(data), digest: await digestOf(data) }
}

async function digestOf(data: BufferSource): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', data)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const WHITE = 0xff_ff_ff_ff

function coverageOf(data: Uint8ClampedArray): Picture['coverage'] {
  const lines = LOOKS.map(({ column, color }) => ({ column, channels: channelsOf(color), hit: new Uint8Array(WIDTH) }))
  const pixels = new Uint32Array(data.buffer)
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    if (pixels[pixel] === WHITE) continue
    for (const { channels, hit } of lines) {
      let off = 0
      for (let part = 0; part < 3; part += 1) {
        off = Math.max(off, Math.abs((data[pixel * 4 + part] ?? 0) - (channels[part] ?? 0)))
      }
      if (off <= NEAR) hit[pixel % WIDTH] = 1
    }
  }
  const shares = lines.map(({ column, hit }) => [column, hit.reduce((sum, one) => sum + one, 0) / WIDTH])
  return Object.fromEntries(shares) as Picture['coverage']
}

/** Red, green and blue of #rrggbb. */
const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
