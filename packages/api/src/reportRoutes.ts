import { limits, reportCategories, reportKinds, reportOutcomes, reportPictureLimits, reportStates } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

/** Message as submitted by the reporter. */
const reportedMessage = z.object({
  /** null if the account is deleted. */
  senderId: z.nullable(s.id),
  sentAt: s.time,
  text: z.string().check(z.maxLength(limits.reportTextLength)),
});
export type ReportedMessage = z.infer<typeof reportedMessage>;

const reportState = z.enum(reportStates);
const reportOutcome = z.enum(reportOutcomes);

/** File as text (RFC 4648). */
const base64 = z
  .string()
  .check(z.minLength(4), z.maxLength(Math.ceil(reportPictureLimits.bytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/));

/** Report as operators see it. */
const adminReport = z.object({
  id: s.id,
  at: s.time,
  /** null if the account is deleted. */
  reporterId: z.nullable(s.id),
  kind: z.enum(reportKinds),
  targetId: s.id,
  /** Account responsible; null for a group. */
  reportedId: z.nullable(s.id),
  /** Current owner of a group; null if the group is deleted or cannot be queried, and for everything else. */
  groupOwner: z.nullable(z.object({ id: s.id, displayName: z.string() })),
  category: z.enum(reportCategories),
  note: z.nullable(z.string()),
  /** Submitted messages, and no others. */
  messages: z.array(reportedMessage),
  /** True if a picture was submitted. */
  hasPicture: z.boolean(),
  state: reportState,
  /** null unless closed. */
  outcome: z.nullable(reportOutcome),
  notes: z.array(
    z.object({
      at: s.time,
      /** null if written at the command line. */
      operatorId: z.nullable(s.id),
      text: z.string(),
    }),
  ),
});
export type AdminReport = z.infer<typeof adminReport>;

/** Reports by users to the operators of the installation, and the operators' handling of them. */
export const reportRoutes = {
  createReport: defineRoute({
    access: 'session',
    tag: 'users',
    method: 'POST',
    path: '/api/reports',
    summary:
      'Report a person, message, group, or status update, with the messages and the picture that you choose to include',
    body: z.object({
      kind: z.enum(reportKinds),
      targetId: s.id,
      /** Account responsible; absent for a group. */
      reportedId: z.optional(s.id),
      category: z.enum(reportCategories),
      note: z.optional(z.string().check(z.maxLength(limits.reportNoteLength))),
      messages: z.optional(z.array(reportedMessage).check(z.maxLength(limits.reportMessages))),
      /** Picture of a status update in base64: WebP, JPEG or PNG. */
      picture: z.optional(base64),
    }),
    bodyBytes: 1_048_576,
    reply: z.object({ id: s.id }),
    status: 201,
    limit: 'reportsPerUserDay',
    errors: ['report_invalid', 'user_not_found'],
  }),
  listReports: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'GET',
    path: '/api/admin/reports',
    summary: 'List the reports, latest first; each access is written to the audit log',
    query: z.object({
      state: z.optional(reportState),
      cursor: z.optional(cursor),
      limit: z.optional(limitUpTo(limits.reportsPerPage)),
    }),
    reply: z.array(adminReport),
    limit: 'operatorChangesPerUser',
    errors: ['cursor_invalid'],
  }),
  changeReport: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'POST',
    path: '/api/admin/reports/{id}',
    summary: 'Take on a report, close it with an outcome, or reopen it, with a note',
    params: idParams,
    body: z.object({
      state: reportState,
      /** Required for `closed`, and only then. */
      outcome: z.optional(reportOutcome),
      note: trimmedText(1, limits.operatorReasonLength),
    }),
    example: { state: 'closed', outcome: 'warned', note: 'They were asked to stop.' },
    reply: adminReport,
    limit: 'operatorChangesPerUser',
    errors: ['report_not_found', 'report_invalid', 'reason_invalid'],
  }),
  getReportPicture: defineRoute({
    access: 'session',
    tag: 'admin',
    proof: 'operator',
    method: 'GET',
    path: '/api/admin/reports/{id}/picture',
    summary: 'Get the picture included in a report, in Base64; each access is written to the audit log',
    params: idParams,
    reply: z.object({ type: z.enum(reportPictureLimits.types), content: z.string() }),
    limit: 'operatorChangesPerUser',
    errors: ['report_not_found'],
  }),
} as const;
