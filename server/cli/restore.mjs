// npm run restore: restores a backup into an empty place, with a program that is built like the server.
import { becomeBuilt } from './become-built.mjs'

await becomeBuilt('restore.js')
