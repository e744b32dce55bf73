import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

/** Archive of the account: `none` before the first request and after its deletion. */
export const accountExport = z.object({
  state: z.enum(['none', 'running', 'ready', 'failed']),
  /** Data being collected. */
  step: z.nullable(z.enum(['account', 'messages', 'files'])),
  percent: z.int(),
  /** Bytes, once ready. */
  size: z.nullable(z.int()),
  startedAt: z.nullable(s.time),
  /** Deletion time of a ready archive. */
  expiresAt: z.nullable(s.time),
});
export type AccountExport = z.output<typeof accountExport>;

/** Export of all data of an account. */
export const exportRoutes = {
  startExport: defineRoute({
    method: 'POST',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    proof: 'account',
    status: 201,
    summary:
      'Start building an archive of everything stored about your account, replacing the previous one; returns the build in progress, if any',
    body: z.object({
      /** Language of the archive's first page. */
      language: z._default(z.enum(['en', 'de']), 'en'),
    }),
    reply: accountExport,
    // files limits the number of archives, so that a request refused for a missing proof does not count.
    limit: 'profileChangesPerUser',
  }),
  getExport: defineRoute({
    method: 'GET',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    summary: 'Get the progress of your account archive',
    reply: accountExport,
  }),
  cancelExport: defineRoute({
    method: 'DELETE',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    limit: 'profileChangesPerUser',
    status: 204,
    summary: 'Cancel or delete your account archive',
  }),
  readExport: defineRoute({
    method: 'GET',
    path: '/api/account/export/file',
    access: 'session',
    tag: 'users',
    proof: 'account',
    summary: 'Download your account archive, within 24 hours; a range of it if `Range` is given',
    errors: ['export_not_found', 'range_unsatisfiable'],
  }),
} as const;
