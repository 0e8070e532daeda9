/** Comlink declares its node adapter beside the file, under another extension than the module's. */
declare module 'comlink/dist/esm/node-adapter.mjs' {
  export { default } from 'comlink/dist/esm/node-adapter'
}
