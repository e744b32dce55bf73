import { nextCursorHeader, routes, type AdminAnnouncement } from '@nolo/api';
import type { Announcement } from '@nolo/proto/announcements';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toAnnouncement } from '../mapping/announcements.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';

const toAdmin = (row: Announcement): AdminAnnouncement => ({
  ...toAnnouncement(row),
  createdAt: toIsoTime(row.createdAt),
  endedAt: row.endedAt ? toIsoTime(row.endedAt) : null,
});

/** Routes for operator announcements. Identity authorizes and logs each change. */
export function bindAdminAnnouncements(
  bind: BindRoute,
  { announcements }: Pick<GatewayContext, 'announcements'>,
): void {
  bind(routes.listAnnouncements, async ({ actor, query, rpc, response }) => {
    const page = await announcements.listAnnouncements({ ...callerOf(actor), ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.announcements.map(toAdmin);
  });
  bind(routes.makeAnnouncement, async ({ actor, body: { texts, severity, until }, rpc }) => {
    const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const draft = { texts: Object.fromEntries(given), severity, until: new Date(until) };
    return toAdmin(await announcements.createAnnouncement({ ...callerOf(actor), ...draft }, rpc));
  });
  bind(routes.endAnnouncement, async ({ actor, params, rpc }) =>
    toAdmin(await announcements.endAnnouncement({ ...callerOf(actor), announcementId: params.id }, rpc)),
  );
}
