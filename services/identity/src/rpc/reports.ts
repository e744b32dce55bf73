import { parseActorId, isId, newId, parseId, type ReportId, type UserId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type {
  Report as ReportReply,
  ReportedMessage as MessageReply,
  ReportServiceDefinition,
} from '@nolo/proto/reports';
import {
  limits,
  cleanNameWithin,
  reportCategories,
  type ReportKind,
  reportKinds,
  reportOutcomes,
  reportStates,
} from '@nolo/rules';
import { readReportPicture } from '../domain/reportPicture.ts';
import type { Report, ReportChange, ReportedMessage } from '../domain/reportPorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, requireAdmitted, readReason } from './operators.ts';
import { userNotFound } from './requests.ts';

type Handler<Name extends keyof (typeof ReportServiceDefinition)['methods']> = RpcHandler<
  (typeof ReportServiceDefinition)['methods'][Name]
>;

const defaultPageSize = 50;
const { read: readCursor, write: writeCursor } = defineCursor<{ before: string }>({ before: idCursorField() });

const invalid = (field: string) =>
  createIdentityError('invalid', 'report_invalid', 'That cannot be reported as it is.', { field });

/** Returns the value if it is allowed. @throws report_invalid */
function oneOf<T extends string>(words: readonly T[], value: string | undefined, field: string): T {
  const allowedValue = words.find((one) => one === value);
  if (allowedValue === undefined) throw invalid(field);
  return allowedValue;
}

function readMessages(messages: readonly MessageReply[]): ReportedMessage[] {
  if (messages.length > limits.reportMessages) throw invalid('messages');
  return messages.map(({ senderId, sentAt, text = '' }) => {
    if (sentAt === undefined || text.length > limits.reportTextLength) throw invalid('messages');
    if (senderId !== undefined && !isId(senderId)) throw invalid('messages');
    return { senderId: senderId ?? null, sentAt: sentAt.toISOString(), text };
  });
}

/** Parses the picture, which only status updates may have. @throws report_invalid */
function readPicture(kind: ReportKind, content: Uint8Array | undefined) {
  if (content === undefined) return null;
  const picture = kind === 'status' ? readReportPicture(Buffer.from(content)) : undefined;
  if (!picture) throw invalid('picture');
  return picture;
}

export function createReport({ clock, metrics, reports }: Dependencies): Handler<'createReport'> {
  return async (request) => {
    const reporterId = parseActorId(request.actorId ?? '');
    const kind = oneOf(reportKinds, request.kind, 'kind');
    const category = oneOf(reportCategories, request.category, 'category');
    const { targetId = '' } = request;
    if (!isId(targetId)) throw invalid('targetId');
    const reportedId = kind === 'group' ? null : (parseId<UserId>(request.reportedId) ?? null);
    if (kind !== 'group' && (reportedId === null || reportedId === reporterId)) throw invalid('reportedId');
    const note = cleanNameWithin(request.note ?? '', { min: 0, max: limits.reportNoteLength });
    if (note === undefined) throw invalid('note');
    const messages = readMessages(request.messages);
    const picture = readPicture(kind, request.picture);
    const id = newId<ReportId>();
    const added = await reports.add({
      id,
      at: clock.now(),
      reporterId,
      reportedId,
      kind,
      targetId,
      category,
      note: note === '' ? null : note,
      messages,
      picture,
    });
    if (!added) throw userNotFound();
    metrics.reports.inc({ kind });
    return { id };
  };
}

const toReport = ({ reporterId, reportedId, note, outcome, messages, notes, ...report }: Report): ReportReply => ({
  ...report,
  reporterId: reporterId ?? undefined,
  reportedId: reportedId ?? undefined,
  note: note ?? undefined,
  outcome: outcome ?? undefined,
  messages: messages.map(({ senderId, sentAt, text }) => ({
    senderId: senderId ?? undefined,
    sentAt: new Date(sentAt),
    text,
  })),
  notes: notes.map(({ operatorId, ...one }) => ({ ...one, operatorId: operatorId ?? undefined })),
});

export function listReports({ clock, reports }: Dependencies): Handler<'listReports'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.reportsPerPage);
    const state = request.state === undefined ? undefined : oneOf(reportStates, request.state, 'state');
    const before = readCursor(request.cursor)?.before;
    const { reports: found } = requireAdmitted(
      await reports.list(acting, { state, before, limit: limit + 1 }, clock.now()),
    );
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { reports: found.slice(0, limit).map(toReport), nextCursor: last && writeCursor({ before: last.id }) };
  };
}

/** @throws report_invalid, reason_invalid */
function readChange(request: { state?: string | undefined; outcome?: string | undefined; note?: string | undefined }) {
  const state = oneOf(reportStates, request.state, 'state');
  const outcome = request.outcome === undefined ? null : oneOf(reportOutcomes, request.outcome, 'outcome');
  if ((state === 'closed') !== (outcome !== null)) throw invalid('outcome');
  return { state, outcome, note: readReason(request.note) } satisfies ReportChange;
}

const reportNotFound = () => createIdentityError('not_found', 'report_not_found', 'This report no longer exists.');

export function changeReport({ clock, reports }: Dependencies): Handler<'changeReport'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const change = readChange(request);
    const id = parseId<ReportId>(request.reportId);
    // Callers who are not operators get that error first, whatever they ask for.
    const done = requireAdmitted(await reports.change(acting, id ?? newId<ReportId>(), change, clock.now()));
    if (done.outcome === 'unknown') throw reportNotFound();
    return toReport(done.report);
  };
}

export function getReportPicture({ clock, reports }: Dependencies): Handler<'getReportPicture'> {
  return async (request) => {
    const id = parseId<ReportId>(request.reportId) ?? newId<ReportId>();
    const done = requireAdmitted(await reports.picture(readOperatorSession(request), id, clock.now()));
    if (done.outcome === 'unknown') throw reportNotFound();
    return done.picture;
  };
}
