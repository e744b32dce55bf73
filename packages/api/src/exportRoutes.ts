import * as z from 'zod/mini';
import { route } from './route.ts';
import * as s from './schemas.ts';

/** The archive of one's account: none before one was asked for and after it was deleted. */
export const accountExport = z.object({
  state: z.enum(['none', 'running', 'ready', 'failed']),
  /** What is being gathered. */
  step: z.nullable(z.enum(['account', 'messages', 'files'])),
  percent: z.int(),
  /** Bytes, once it is ready. */
  size: z.nullable(z.int()),
  startedAt: z.nullable(s.time),
  /** When a ready one is deleted. */
  expiresAt: z.nullable(s.time),
});
export type AccountExport = z.output<typeof accountExport>;

/** Taking along what is kept of one's account. */
export const exportRoutes = {
  startExport: route({
    method: 'POST',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    proof: 'account',
    status: 201,
    summary:
      "Begin to gather everything kept about one's account in an archive, in place of the one before; one that is being made is the answer",
    body: z.object({
      /** Of the archive's first page. */
      language: z._default(z.enum(['en', 'de']), 'en'),
    }),
    reply: accountExport,
    // Archives themselves are counted by files, so that one that wants a proof first is none.
    limit: 'profileChangesPerUser',
  }),
  getExport: route({
    method: 'GET',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    summary: "How far the archive of one's account is",
    reply: accountExport,
  }),
  cancelExport: route({
    method: 'DELETE',
    path: '/api/account/export',
    access: 'session',
    tag: 'users',
    limit: 'profileChangesPerUser',
    status: 204,
    summary: "Give the archive of one's account up, while it is made or afterwards",
  }),
  readExport: route({
    method: 'GET',
    path: '/api/account/export/file',
    access: 'session',
    tag: 'users',
    proof: 'account',
    summary: "The archive of one's account, for 24 hours; one range of it where `Range` asks for it",
    errors: ['export_not_found', 'range_unsatisfiable'],
  }),
} as const;
