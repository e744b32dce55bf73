import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';
import * as st from './statusSchemas.ts';

const tagged = { access: 'session', tag: 'status' } as const;
const muteParams = z.object({ userId: s.id });

/** Status updates (spec section 7, decision 24): available for 24 hours, to mutual contacts. */
export const statusRoutes = {
  listStatuses: route({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates',
    scope: 'status:read',
    summary:
      "One's own status updates, then those of mutual contacts that one may see: the people who posted latest first, what each posted in its order. `limit` counts people, 50 unless given; who comes after them is on the next page",
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.statusAuthorsPerPage)) }),
    reply: z.array(st.statusUpdate),
    errors: ['cursor_invalid'],
  }),
  postStatus: route({
    ...tagged,
    method: 'POST',
    path: '/api/status-updates',
    scope: 'status:write',
    status: 201,
    summary: 'Post a status update; with the same `clientStatusId` again it is the same one',
    body: st.newStatus,
    reply: st.statusUpdate,
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
  viewStatus: route({
    ...tagged,
    method: 'POST',
    path: '/api/status-updates/{id}/view',
    scope: 'status:write',
    status: 204,
    summary: "Look at somebody's status update: counted once, and not at all of one's own",
    params: idParams,
    limit: 'statusViewsPerUser',
    errors: ['status_not_found'],
  }),
  removeStatus: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/status-updates/{id}',
    scope: 'status:write',
    status: 204,
    summary: "Take back a status update of one's own; the same again changes nothing",
    params: idParams,
    limit: 'statusChangesPerUser',
    errors: ['status_not_found'],
  }),
  listStatusViewers: route({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates/{id}/viewers',
    scope: 'status:read',
    summary:
      "Who has looked at a status update of one's own, latest first; nobody where one of both does not share receipts",
    params: idParams,
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.statusViewersPerPage)) }),
    reply: z.array(st.statusViewer),
    errors: ['status_not_found', 'cursor_invalid'],
  }),
  getStatusAudience: route({
    ...tagged,
    method: 'GET',
    path: '/api/status-updates/audience',
    scope: 'status:read',
    summary: 'Whom new status updates are for unless they say so themselves',
    reply: st.statusAudience,
  }),
  setStatusAudience: route({
    ...tagged,
    method: 'PUT',
    path: '/api/status-updates/audience',
    scope: 'status:write',
    summary: 'Choose whom new status updates are for; those that are there stay as they are',
    body: st.statusAudience,
    reply: st.statusAudience,
    limit: 'statusChangesPerUser',
    errors: ['audience_invalid'],
  }),
  muteStatuses: route({
    ...tagged,
    method: 'PUT',
    path: '/api/status-updates/mutes/{userId}',
    scope: 'status:write',
    status: 204,
    summary: "Mute somebody's status updates: they stay in the list, marked as such",
    params: muteParams,
    limit: 'statusChangesPerUser',
    errors: ['too_many_mutes'],
  }),
  unmuteStatuses: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/status-updates/mutes/{userId}',
    scope: 'status:write',
    status: 204,
    summary: "Mute somebody's status updates no longer",
    params: muteParams,
    limit: 'statusChangesPerUser',
  }),
} as const;
