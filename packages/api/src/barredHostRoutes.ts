import { barredHostLimits, limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const host = z.string().check(z.minLength(1), z.maxLength(limits.linkLength));
const reason = trimmedText(1, limits.operatorReasonLength);

/** Host that operators bar. */
const barredHost = z.object({
  /** Normalized as in URLs: lower case, with internationalized names in their DNS form. */
  host: z.string(),
  /** True if all subdomains are barred too. */
  withSubdomains: z.boolean(),
  since: s.time,
});
export type BarredHost = z.infer<typeof barredHost>;

/** Hosts that links may not lead to. The reader's device checks messages against the list. */
export const barredHostRoutes = {
  getBarredHosts: defineRoute({
    access: 'public',
    tag: 'system',
    method: 'GET',
    path: '/api/barred-hosts',
    summary:
      'Get the hosts barred by operators, each prefixed with `*.` if its subdomains are barred too. With the version that `barredHosts` of /api/config names, caches may store the answer',
    query: z.object({ version: z.optional(z.string().check(z.maxLength(50))) }),
    reply: z.object({ version: z.nullable(z.string()), hosts: z.array(z.string()) }),
  }),
  listBarredHosts: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'GET',
    path: '/api/admin/barred-hosts',
    summary: 'List the barred hosts by name: all, or those whose name contains the given text',
    query: z.object({
      q: z.optional(z.string().check(z.maxLength(limits.linkLength))),
      cursor: z.optional(cursor),
      limit: z.optional(limitUpTo(barredHostLimits.perPage)),
    }),
    reply: z.array(barredHost),
    errors: ['cursor_invalid'],
  }),
  barHosts: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'POST',
    path: '/api/admin/barred-hosts',
    summary: 'Bar hosts, or change whether their subdomains are barred too; returns those that changed',
    body: z.object({
      hosts: z.array(host).check(z.minLength(1), z.maxLength(barredHostLimits.atOnce)),
      withSubdomains: z.boolean(),
      reason,
    }),
    example: { hosts: ['login.evil.example'], withSubdomains: true, reason: 'It asks for passwords.' },
    reply: z.array(barredHost),
    limit: 'operatorChangesPerUser',
    errors: ['barred_host_invalid', 'barred_host_public', 'too_many_barred_hosts', 'reason_invalid'],
  }),
  unbarHost: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'POST',
    path: '/api/admin/barred-hosts/unbar',
    summary: 'Unbar a host',
    body: z.object({ host, reason }),
    example: { host: 'evil.example', reason: 'It has been fixed.' },
    status: 204,
    limit: 'operatorChangesPerUser',
    errors: ['barred_host_not_found', 'reason_invalid'],
  }),
} as const;
