// npm start: installs what is missing, builds what is stale, and becomes the server.
import { becomeBuilt } from './become-built.mjs'

await becomeBuilt('main.js')
