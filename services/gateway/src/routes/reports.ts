import { nextCursorHeader, routes, type AdminReport } from '@nolo/api';
import type { Report } from '@nolo/proto/reports';
import { reportCategories, reportKinds, reportOutcomes, reportStates } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { Actor } from '../http/session.ts';
import { isoTime, orNull } from './mapPeople.ts';

const asking = ({ userId: actorId, sessionId }: Actor) => ({ actorId, sessionId });

const oneOf = <T extends string>(words: readonly [T, ...T[]], value: string | undefined): T =>
  words.find((word) => word === value) ?? words[0];

function toReport(row: Report): AdminReport {
  return {
    id: row.id ?? '',
    at: isoTime(row.at),
    reporterId: orNull(row.reporterId),
    kind: oneOf(reportKinds, row.kind),
    targetId: row.targetId ?? '',
    reportedId: orNull(row.reportedId),
    category: oneOf(reportCategories, row.category),
    note: orNull(row.note),
    messages: row.messages.map(({ senderId, sentAt, text = '' }) => ({
      senderId: orNull(senderId),
      sentAt: isoTime(sentAt),
      text,
    })),
    state: oneOf(reportStates, row.state),
    outcome: row.outcome === undefined ? null : oneOf(reportOutcomes, row.outcome),
    notes: row.notes.map(({ at, operatorId, text = '' }) => ({
      at: isoTime(at),
      operatorId: orNull(operatorId),
      text,
    })),
  };
}

/** What people report, and what operators do about it; identity knows who is one. */
export function bindReports(bind: Bind, { reports }: Edge): void {
  bind(routes.createReport, async ({ actor, body, rpc }) => {
    const messages = (body.messages ?? []).map(({ senderId, sentAt, text }) => ({
      senderId: senderId ?? undefined,
      sentAt: new Date(sentAt),
      text,
    }));
    const { id = '' } = await reports.createReport({ ...body, actorId: actor.userId, messages }, rpc);
    return { id };
  });
  bind(routes.listReports, async ({ actor, query, rpc, response }) => {
    const page = await reports.listReports({ ...asking(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.reports.map(toReport);
  });
  bind(routes.changeReport, async ({ actor, params, body, rpc }) =>
    toReport(await reports.changeReport({ ...asking(actor), reportId: params.id, ...body }, rpc)),
  );
}
