import * as z from 'zod/mini';
import { time } from './schemas.ts';

/** One number or switch among the variables that a part was started with. */
const setting = z.object({ variable: z.string(), value: z.string() });

const partBuild = z.object({
  version: z.string(),
  /** The commit of the image; null where its build was not told, as beside `npm start`. */
  commit: z.nullable(z.string()),
  /** Of the replica that answered. */
  since: time,
  settings: z.array(setting),
});

export const adminPart = z.object({
  /** As `/healthz` calls it. */
  name: z.string(),
  ok: z.boolean(),
  /** Why not, as a word. */
  detail: z.nullable(z.string()),
  /** null for stores, for what is elsewhere, and where the part does not answer. */
  build: z.nullable(partBuild),
});
export type AdminPart = z.infer<typeof adminPart>;

/** What the installation is and how it is. Nothing of it is changed at the edge. */
export const adminState = z.object({
  status: z.enum(['ready', 'degraded', 'starting', 'stopping']),
  parts: z.array(adminPart),
  features: z.array(
    z.object({
      name: z.string(),
      on: z.boolean(),
      /** The variable that decides it; null where the version does. */
      variable: z.nullable(z.string()),
    }),
  ),
  limits: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      /** Of what is counted: in so many seconds. */
      seconds: z.nullable(z.int()),
    }),
  ),
});
export type AdminState = z.infer<typeof adminState>;
