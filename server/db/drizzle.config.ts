import { defineConfig } from 'drizzle-kit'

/** For `npx drizzle-kit generate --config server/db/drizzle.config.ts`, run at the top of the project. */
// oxlint-disable-next-line import/no-default-export -- drizzle-kit reads the default export
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/db/schema/*.ts',
  out: './server/db/migrations',
})
