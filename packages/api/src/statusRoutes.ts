import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import * as st from './statusSchemas.ts';

const tagged = { access: 'session', tag: 'status' } as const;
const muteParams = z.object({ userId: s.id });

/** Status updates (spec section 7, decision 24): available for 24 hours, to mutual contacts. */
export const statusRoutes = {
  listStatuses: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates',
    scope: 'status:read',
    summary:
      "List your own status updates, then those of mutual contacts that you may see: the people with the latest update first, each person's updates in order. `limit` counts people, 50 by default; the rest follow on the next page",
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.statusAuthorsPerPage)) }),
    reply: z.array(st.statusUpdate),
    opens: 'statuses',
    errors: ['cursor_invalid'],
  }),
  postStatus: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/status-updates',
    scope: 'status:write',
    status: 201,
    summary: 'Post a status update; repeating the same `clientStatusId` returns the same one',
    body: st.newStatus,
    bodyBytes: s.envelopeBodyBytes,
    seals: 'status',
    reply: st.statusUpdate,
    opens: 'status',
    limit: 'statusPostsPerUserDay',
    errors: [
      'status_blank',
      'status_invalid',
      'status_too_large',
      'status_removed',
      'too_many_statuses',
      'file_not_found',
      'audience_invalid',
      'switched_off',
    ],
  }),
  viewStatus: defineRoute({
    ...tagged,
    method: 'POST',
    path: '/api/status-updates/{id}/view',
    scope: 'status:write',
    status: 204,
    summary: 'View a status update: counted once, and never for your own',
    params: idParams,
    limit: 'statusViewsPerUser',
    errors: ['status_not_found'],
  }),
  removeStatus: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/status-updates/{id}',
    scope: 'status:write',
    status: 204,
    summary: 'Delete one of your own status updates; repeating it changes nothing',
    params: idParams,
    limit: 'statusChangesPerUser',
    errors: ['status_not_found'],
  }),
  listStatusViewers: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates/{id}/viewers',
    scope: 'status:read',
    summary:
      'List who viewed one of your own status updates, latest first; only people with whom receipts are shared both ways',
    params: idParams,
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.statusViewersPerPage)) }),
    reply: z.array(st.statusViewer),
    errors: ['status_not_found', 'cursor_invalid'],
  }),
  getStatusAudience: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates/audience',
    scope: 'status:read',
    summary: 'Get the default audience of new status updates',
    reply: st.statusAudience,
  }),
  setStatusAudience: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/status-updates/audience',
    scope: 'status:write',
    summary: 'Set the default audience of new status updates; existing ones keep theirs',
    body: st.statusAudience,
    reply: st.statusAudience,
    limit: 'statusChangesPerUser',
    errors: ['audience_invalid'],
  }),
  muteStatuses: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/status-updates/mutes/{userId}',
    scope: 'status:write',
    status: 204,
    summary: "Mute a person's status updates: they stay in the list, marked as muted",
    params: muteParams,
    limit: 'statusChangesPerUser',
    errors: ['too_many_mutes'],
  }),
  unmuteStatuses: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/status-updates/mutes/{userId}',
    scope: 'status:write',
    status: 204,
    summary: "Unmute a person's status updates",
    params: muteParams,
    limit: 'statusChangesPerUser',
  }),
} as const;
