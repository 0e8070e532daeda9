// npm run superuser: appoints or dismisses a superuser or removes lost passkeys, with a program that is built like the server.
import { becomeBuilt } from './become-built.mjs'

await becomeBuilt('superuser.js')
