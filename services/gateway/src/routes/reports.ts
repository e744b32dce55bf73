import { nextCursorHeader, routes, type AdminReport } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Report } from '@nolo/proto/reports';
import { reportCategories, reportKinds, reportOutcomes, reportPictureLimits, reportStates } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { RequestActor } from '../http/sessionAuthenticator.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime, emptyToNull } from '../mapping/people.ts';
import { findPeople } from '../mapping/findPeople.ts';

const oneOf = <T extends string>(words: readonly [T, ...T[]], value: string | undefined): T =>
  words.find((allowedValue) => allowedValue === value) ?? words[0];

type Owners = ReadonlyMap<string, NonNullable<AdminReport['groupOwner']>>;

/** Returns the owners of reported groups: IDs from chat, names from identity. */
async function ownersOf(
  context: Pick<GatewayContext, 'groups' | 'identity' | 'log'>,
  actor: RequestActor,
  rows: readonly Report[],
  rpc: RpcCallOptions,
): Promise<Owners> {
  const conversationIds = rows.flatMap(({ kind, targetId }) => (kind === 'group' && targetId ? targetId : []));
  if (conversationIds.length === 0) return new Map();
  try {
    const rpcRequest = { ...callerOf(actor), conversationIds: [...new Set(conversationIds)] };
    const { owners } = await context.groups.listOwners(rpcRequest, rpc);
    const ids = owners.flatMap(({ userId }) => userId ?? []);
    const people = await findPeople(context, actor.userId, ids, rpc);
    return new Map(
      owners.map(({ conversationId = '', userId = '' }) => [
        conversationId,
        { id: userId, displayName: people.get(userId)?.displayName ?? '' },
      ]),
    );
  } catch (error) {
    // Reports are shown without their owners.
    context.log.warn({ err: error }, 'reading the owners of reported groups failed');
    return new Map();
  }
}

function toReport(row: Report, owners: Owners): AdminReport {
  return {
    id: row.id ?? '',
    at: toIsoTime(row.at),
    reporterId: emptyToNull(row.reporterId),
    kind: oneOf(reportKinds, row.kind),
    targetId: row.targetId ?? '',
    reportedId: emptyToNull(row.reportedId),
    groupOwner: owners.get(row.targetId ?? '') ?? null,
    category: oneOf(reportCategories, row.category),
    note: emptyToNull(row.note),
    messages: row.messages.map(({ senderId, sentAt, text = '' }) => ({
      senderId: emptyToNull(senderId),
      sentAt: toIsoTime(sentAt),
      text,
    })),
    hasPicture: row.hasPicture ?? false,
    state: oneOf(reportStates, row.state),
    outcome: row.outcome === undefined ? null : oneOf(reportOutcomes, row.outcome),
    notes: row.notes.map(({ at, operatorId, text = '' }) => ({
      at: toIsoTime(at),
      operatorId: emptyToNull(operatorId),
      text,
    })),
  };
}

/** Routes for reporting content and for operators who handle reports. Identity knows who is an operator. */
export function bindReports(
  bind: BindRoute,
  context: Pick<GatewayContext, 'reports' | 'groups' | 'identity' | 'log'>,
): void {
  const { reports } = context;
  bind(routes.createReport, async ({ actor, body, rpc }) => {
    const messages = (body.messages ?? []).map(({ senderId, sentAt, text }) => ({
      senderId: senderId ?? undefined,
      sentAt: new Date(sentAt),
      text,
    }));
    const picture = body.picture === undefined ? undefined : Buffer.from(body.picture, 'base64');
    const { id = '' } = await reports.createReport({ ...body, actorId: actor.userId, messages, picture }, rpc);
    return { id };
  });
  bind(routes.listReports, async ({ actor, query, rpc, response }) => {
    const page = await reports.listReports({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    const owners = await ownersOf(context, actor, page.reports, rpc);
    return page.reports.map((row) => toReport(row, owners));
  });
  bind(routes.getReportPicture, async ({ actor, params, rpc }) => {
    const { type, content } = await reports.getReportPicture({ ...callerOf(actor), reportId: params.id }, rpc);
    return { type: oneOf(reportPictureLimits.types, type), content: Buffer.from(content ?? []).toString('base64') };
  });
  bind(routes.changeReport, async ({ actor, params, body, rpc }) => {
    const changed = await reports.changeReport({ ...callerOf(actor), reportId: params.id, ...body }, rpc);
    return toReport(changed, await ownersOf(context, actor, [changed], rpc));
  });
}
