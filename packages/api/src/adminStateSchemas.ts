import { settingNames } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** Number or switch among the environment variables of a service. */
const setting = z.object({ variable: z.string(), value: z.string() });

const serviceBuild = z.object({
  version: z.string(),
  /** Commit of the image; null if the build did not receive it, for example under `npm start`. */
  commit: z.nullable(z.string()),
  /** Start time of the replica that answered. */
  since: time,
  settings: z.array(setting),
});

const adminServiceInfo = z.object({
  /** Name as in `/healthz`. */
  name: z.string(),
  ok: z.boolean(),
  /** Code of the problem. */
  detail: z.nullable(z.string()),
  /** null for stores, for external systems, and for services that do not answer. */
  build: z.nullable(serviceBuild),
});
export type AdminServiceInfo = z.infer<typeof adminServiceInfo>;

/** Overview of the installation and its health. The API changes none of it. */
export const installationState = z.object({
  status: z.enum(['ready', 'degraded', 'starting', 'stopping']),
  parts: z.array(adminServiceInfo),
  features: z.array(
    z.object({
      name: z.string(),
      on: z.boolean(),
      /** Environment variable that controls it; null if the version does. */
      variable: z.nullable(z.string()),
    }),
  ),
  limits: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      /** Window of a rate limit, in seconds. */
      seconds: z.nullable(z.int()),
    }),
  ),
});
export type InstallationState = z.infer<typeof installationState>;

/** Setting that operators can change at run time. */
export const adminSetting = z.object({
  name: z.enum(settingNames),
  kind: z.enum(['switch', 'amount', 'choice']),
  /** Options of a choice. */
  options: z.optional(z.array(z.string())),
  /** Range of an amount. */
  min: z.optional(z.int()),
  max: z.optional(z.int()),
  /** Effective value: `on` or `off`, a whole number, or an option; null if the responsible service does not answer. */
  value: z.nullable(z.string()),
  /** True if an operator set it. */
  isSet: z.boolean(),
  /** Value that applies if no operator set one. */
  configured: z.nullable(z.string()),
  /** Environment variable of the configured value; null if the version decides it. */
  variable: z.nullable(z.string()),
  changedAt: z.nullable(time),
});
export type AdminSetting = z.infer<typeof adminSetting>;

/** Work of a service in one queue. */
const workQueue = z.object({
  /** Name as in `/healthz`. */
  part: z.string(),
  kind: z.enum(['job', 'event', 'message']),
  queue: z.string(),
  waiting: z.int(),
  late: z.int(),
  active: z.int(),
  setAside: z.int(),
});
export type WorkQueue = z.infer<typeof workQueue>;

export const workQueueOverview = z.object({
  queues: z.array(workQueue),
  /** Services that did not answer. */
  silent: z.array(z.string()),
});
export type WorkQueueOverview = z.infer<typeof workQueueOverview>;

/** Work that failed too often. Its content is never shown. */
export const setAsideWork = z.object({
  id,
  attempts: z.int(),
  /** Error code; null for events and messages, whose errors are in the service's log. */
  failure: z.nullable(z.string()),
  at: time,
});
export type SetAsideWork = z.infer<typeof setAsideWork>;

/** Identifies a queue. */
export const queueQuery = {
  part: z.string().check(z.maxLength(50)),
  kind: z.enum(['job', 'event', 'message']),
  queue: z.string().check(z.minLength(1), z.maxLength(100)),
};

/** Room with people in it. Operators see neither its name nor its content. */
export const liveRoom = z.object({
  id,
  kind: z.enum(['meeting', 'group']),
  hostId: id,
  people: z.int(),
  /** null if unknown. */
  since: z.nullable(time),
  /** Media nodes that carry the room. */
  nodeIds: z.array(z.string()),
});
export type LiveRoom = z.infer<typeof liveRoom>;
