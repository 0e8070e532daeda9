import { HEIGHT, WIDTH, type Contender, type OpenChart } from '../contender'

const nothing: OpenChart = {
  show: () => undefined,
  zoom: () => undefined,
  movePoint: () => undefined,
  close: () => undefined,
}

/** Does nothing at all: what measuring itself costs, taken off everybody's figures. */
export const idle: Contender = { open: () => nothing }

/** Opens quickly, and draws no line: the check of pixels must refuse it. */
export const blank: Contender = {
  open(host) {
    const canvas = document.createElement('canvas')
    canvas.width = WIDTH
    canvas.height = HEIGHT
    canvas.getContext('2d')?.fillText('a title and axes', 20, 20)
    host.append(canvas)
    return nothing
  },
}
