import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

/**
 * Routes that a sender may call for a link before sending it (decision 13: clients create previews when the sender
 * wants them).
 */
export const linkRoutes = {
  createLinkPreview: defineRoute({
    method: 'POST',
    path: '/api/link-previews',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary:
      'Fetch a preview of the page behind a link; nothing of it is stored. Only public addresses, on the standard ports',
    body: z.object({ url: z.string().check(z.minLength(1), z.maxLength(limits.linkLength)) }),
    reply: s.linkPreview,
    limit: 'linkPreviewsPerUser',
    errors: [
      'link_invalid',
      'link_refused',
      'link_barred',
      'link_unreachable',
      'link_too_large',
      'link_without_preview',
      'link_previews_off',
    ],
  }),
} as const;
