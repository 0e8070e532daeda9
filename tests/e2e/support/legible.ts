import type { Locator } from 'playwright/test'

/** The least share of the pixels behind a text that its glyphs take. */
const GLYPHS = 0.03

/**
 * True if an element's text can be told from what is behind it, by its pixels: axe-core reads computed colours, and so
 * cannot see that forced colours have put a plate in the text's own colour behind the text.
 */
export async function legible(element: Locator): Promise<boolean> {
  await element.scrollIntoViewIfNeeded()
  const text = await element.evaluate((it) => {
    const range = document.createRange()
    range.selectNodeContents(it)
    const { x, y, width, height } = range.getBoundingClientRect()
    return { x, y, width, height }
  })
  const picture = await element.page().screenshot({ clip: text, animations: 'disabled' })
  const reader = await element.page().context().newPage()
  try {
    return (await reader.evaluate(shareOfGlyphs, picture.toString('base64'))) > GLYPHS
  } finally {
    await reader.close()
  }
}

/** Runs in a page: the share of a PNG's pixels that have not its most frequent colour. */
async function shareOfGlyphs(png: string): Promise<number> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')
  if (pen === null) throw new Error('no canvas')
  pen.drawImage(image, 0, 0)
  const { data } = pen.getImageData(0, 0, image.width, image.height)
  const counts = new Map<number, number>()
  for (let i = 0; i < data.length; i += 4) {
    const colour = ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return 1 - Math.max(...counts.values()) / (data.length / 4)
}
