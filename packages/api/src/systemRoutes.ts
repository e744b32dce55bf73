import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { config } from './configSchemas.ts';

/** Information about the installation. */
export const systemRoutes = {
  getConfig: defineRoute({
    method: 'GET',
    path: '/api/config',
    access: 'public',
    tag: 'system',
    summary: 'Describe this instance and its features',
    reply: config,
  }),
  getOpenApi: defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    tag: 'system',
    summary: 'This document',
  }),
  getHealth: defineRoute({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    tag: 'system',
    summary:
      'Get whether sign-in and chat are ready (degraded: they are, but something else is not), and the health of every service',
    reply: z.object({
      status: z.enum(['ready', 'degraded', 'starting', 'stopping']),
      parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.optional(z.string()) })),
      missing: z.array(z.string()),
    }),
  }),
} as const;
