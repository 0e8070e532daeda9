import * as z from 'zod'

// Zod tries whether it may compile schemas from source text; the server's policy forbids that, and the browser reports each try.
// Imported before every schema: they try when they are made.
z.config({ jitless: true })
