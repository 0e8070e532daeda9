// npm run backup: writes a backup of the database, with a program that is built like the server.
import { becomeBuilt } from './become-built.mjs'

await becomeBuilt('backup.js')
