// npm run superuser: appoints or dismisses a superuser, with a program that is built like the server.
import { becomeBuilt } from './become-built.mjs'

await becomeBuilt('superuser.js')
