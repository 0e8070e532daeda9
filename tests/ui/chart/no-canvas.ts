/**
 * happy-dom has no canvas: the context here takes every call and draws nothing. Pixels are checked
 * in a real browser (tests/e2e/chart.spec.ts). It stays for good: a plot draws once more while its test is cleaned up.
 */
export function stubCanvas(): void {
  const nothing = () => undefined
  const context: object = new Proxy(
    { measureText: (text: string) => ({ width: text.length * 7 }) },
    { get: (known, name) => Reflect.get(known, name) ?? nothing, set: () => true },
  )
  Object.assign(HTMLCanvasElement.prototype, { getContext: () => context })
  Object.assign(globalThis, {
    Path2D: class {
      addPath = nothing
      arc = nothing
      closePath = nothing
      lineTo = nothing
      moveTo = nothing
      rect = nothing
    },
  })
}
