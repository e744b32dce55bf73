import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import * as a from './adminSchemas.ts';
import { adminAnnouncement, announcementDraft } from './announcements.ts';
import { adminSetting, adminState, adminWork, liveRoom, queueOf, setAsideWork } from './adminStateSchemas.ts';
import { count, cursor, idParams, trimmed } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'admin' } as const;
const refused = ['not_operator', 'proof_required'] as const;
const aboutOne = [...refused, 'user_not_found', 'reason_invalid'] as const;
const reason = trimmed(1, limits.operatorReasonLength);
const example = { reason: 'Sends everybody advertisements.' };

/**
 * What operators of the installation see and do. identity decides who is one and whether their session was proven a short
 * while ago, and keeps a record of all of it. No personal access token opens any of it.
 */
export const adminRoutes = {
  openAdmin: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin',
    summary: 'Whether one may go in; with a passkey the session has to be proven by that',
    reply: z.object({ provenUntil: s.time }),
    errors: refused,
  }),
  getAdminState: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/state',
    summary:
      'How every part is, which version it has, and the features and limits that apply, with the variables that set them',
    reply: adminState,
    errors: refused,
  }),
  getAdminWork: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/work',
    summary: 'What every part has to do, and what it set aside',
    reply: adminWork,
    errors: refused,
  }),
  listSetAsideWork: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/work/set-aside',
    summary: 'What was set aside in one queue, oldest first, without what it holds',
    query: z.object({ ...queueOf, cursor: z.optional(cursor), limit: z.optional(count(100)) }),
    reply: z.array(setAsideWork),
    errors: [...refused, 'cursor_invalid', 'work_not_found'],
  }),
  retrySetAsideWork: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/work/retry',
    summary: 'Have something that was set aside tried again',
    body: z.object({ ...queueOf, id: s.id }),
    example: { part: 'social', kind: 'job', queue: 'publishing', id: '01995c1e-7b1a-7c3e-9d2f-0c5a3b9d8e7f' },
    status: 204,
    limit: 'operatorChangesPerUser',
    errors: [...refused, 'work_not_found'],
  }),
  listLiveRooms: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/rooms',
    summary: 'Rooms of meetings and groups that people are in: facts alone, and neither names nor codes',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(100)) }),
    reply: z.array(liveRoom),
    errors: [...refused, 'cursor_invalid'],
  }),
  endLiveRoom: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/rooms/{id}/end',
    summary: 'End a meeting for everybody in it, as its host would',
    params: idParams,
    body: z.object({ reason }),
    example: { reason: 'Somebody is threatened there.' },
    status: 204,
    limit: 'operatorChangesPerUser',
    errors: [...refused, 'reason_invalid', 'meeting_not_found', 'meeting_over'],
  }),
  listAnnouncements: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/announcements',
    summary: 'What operators told everybody, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(100)) }),
    reply: z.array(adminAnnouncement),
    errors: [...refused, 'cursor_invalid'],
  }),
  makeAnnouncement: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/announcements',
    summary: 'Tell everybody who is signed in something, until then',
    body: announcementDraft,
    example: {
      texts: { en: 'Nolo is away for a while on Sunday at six.' },
      severity: 'info',
      until: '2030-01-01T06:00:00.000Z',
    },
    reply: adminAnnouncement,
    status: 201,
    limit: 'operatorChangesPerUser',
    errors: [...refused, 'bulletin_invalid', 'too_many_bulletins'],
  }),
  endAnnouncement: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/announcements/{id}/end',
    summary: 'End an announcement before its time',
    params: idParams,
    reply: adminAnnouncement,
    limit: 'operatorChangesPerUser',
    errors: [...refused, 'bulletin_not_found'],
  }),
  listSettings: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/settings',
    summary: 'What operators change while the installation runs: what holds, and what would where nobody had set it',
    reply: z.array(adminSetting),
    errors: refused,
  }),
  changeSetting: route({
    ...tagged,
    method: 'PUT',
    path: '/api/admin/settings/{name}',
    summary: 'Set it for the whole installation, at once; null has what is configured hold again',
    params: z.object({ name: z.string().check(z.maxLength(50)) }),
    body: z.object({ value: z.nullable(z.string().check(z.maxLength(50))) }),
    example: { value: 'invited' },
    reply: z.array(adminSetting),
    limit: 'operatorChangesPerUser',
    errors: [...refused, 'setting_unknown', 'setting_invalid'],
  }),
  findAccounts: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/users',
    summary: 'Accounts with exactly this number, mail address, username or id',
    query: z.object({ q: trimmed(1, limits.searchQueryLength) }),
    reply: z.array(a.adminAccount),
    limit: 'operatorChangesPerUser',
    errors: refused,
  }),
  suspendAccount: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/users/{id}/suspend',
    summary: 'Keep an account out: its sessions end, and it is not let in until then',
    params: idParams,
    body: z.object({ reason, until: z.optional(s.time) }),
    example,
    reply: a.adminAccount,
    limit: 'operatorChangesPerUser',
    errors: [...aboutOne, 'account_is_operator', 'suspension_invalid'],
  }),
  liftSuspension: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/users/{id}/lift',
    summary: 'Let a suspended account in again',
    params: idParams,
    body: z.object({ reason }),
    example: { reason: 'It was a mistake.' },
    reply: a.adminAccount,
    limit: 'operatorChangesPerUser',
    errors: [...aboutOne, 'not_suspended'],
  }),
  signOutAccount: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/users/{id}/sign-out',
    summary: 'End all sessions of an account',
    params: idParams,
    body: z.object({ reason }),
    example: { reason: 'They lost their phone and asked for it.' },
    reply: a.adminAccount,
    limit: 'operatorChangesPerUser',
    errors: aboutOne,
  }),
  eraseAccount: route({
    ...tagged,
    method: 'POST',
    path: '/api/admin/users/{id}/delete',
    summary: 'Close an account, as its owner would; it is deleted after the same days of grace',
    params: idParams,
    body: z.object({ reason }),
    example: { reason: 'They asked for it by letter.' },
    status: 204,
    limit: 'operatorChangesPerUser',
    errors: [...aboutOne, 'account_is_operator'],
  }),
  listOperatorActs: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/audit',
    summary: 'What operators did, latest first',
    query: z.object({
      /** Only what was done to this account. */
      userId: z.optional(s.id),
      cursor: z.optional(cursor),
      limit: z.optional(count(limits.operatorActsPerPage)),
    }),
    reply: z.array(a.operatorAct),
    errors: [...refused, 'cursor_invalid'],
  }),
  verifyOperatorActs: route({
    ...tagged,
    method: 'GET',
    path: '/api/admin/audit/verification',
    summary: 'Hold the whole audit against its hashes',
    reply: a.auditState,
    limit: 'operatorChangesPerUser',
    errors: refused,
  }),
} as const;
