import { settingNames } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

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

/** Something that operators change while the installation runs. */
export const adminSetting = z.object({
  name: z.enum(settingNames),
  kind: z.enum(['switch', 'amount', 'choice']),
  /** Of a choice. */
  options: z.optional(z.array(z.string())),
  /** Of an amount. */
  min: z.optional(z.int()),
  max: z.optional(z.int()),
  /** What holds: `on` or `off`, a whole number, or an option; null where the part that knows does not answer. */
  value: z.nullable(z.string()),
  /** Whether an operator set it. */
  isSet: z.boolean(),
  /** What holds where nobody did. */
  configured: z.nullable(z.string()),
  /** The variable that says so; null where the version does. */
  variable: z.nullable(z.string()),
  changedAt: z.nullable(time),
});
export type AdminSetting = z.infer<typeof adminSetting>;

/** What a part has to do, of one queue. */
const workQueue = z.object({
  /** As `/healthz` calls it. */
  part: z.string(),
  kind: z.enum(['job', 'event', 'message']),
  queue: z.string(),
  waiting: z.int(),
  late: z.int(),
  active: z.int(),
  setAside: z.int(),
});
export type WorkQueue = z.infer<typeof workQueue>;

export const adminWork = z.object({
  queues: z.array(workQueue),
  /** Parts that did not answer. */
  silent: z.array(z.string()),
});
export type AdminWork = z.infer<typeof adminWork>;

/** Something that failed too often. What it holds is never shown. */
export const setAsideWork = z.object({
  id,
  attempts: z.int(),
  /** A code; null for events and messages, whose errors stand in the log of the part. */
  failure: z.nullable(z.string()),
  at: time,
});
export type SetAsideWork = z.infer<typeof setAsideWork>;

/** Which queue. */
export const queueOf = {
  part: z.string().check(z.maxLength(50)),
  kind: z.enum(['job', 'event', 'message']),
  queue: z.string().check(z.minLength(1), z.maxLength(100)),
};

/** A room that people are in. What it is called and what is said in it is nobody's business here. */
export const liveRoom = z.object({
  id,
  kind: z.enum(['meeting', 'group']),
  hostId: id,
  people: z.int(),
  /** null where nobody knows. */
  since: z.nullable(time),
  /** The media nodes that carry it. */
  nodeIds: z.array(z.string()),
});
export type LiveRoom = z.infer<typeof liveRoom>;
