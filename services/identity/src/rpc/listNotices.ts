import type { ListNoticesReply, ListNoticesRequest, Notice } from '@nolo/proto/security';
import { limits } from '@nolo/rules';
import { readTimeCursor, writeCursor } from '../domain/cursors.ts';
import type { ListedNotice } from '../domain/securityPorts.ts';
import type { RpcDeps } from './deps.ts';
import { readAsking } from './proofErrors.ts';
import { readLimit } from './requests.ts';

const usualLimit = 30;

function toNotice({ change, undoneAt, ...notice }: ListedNotice): Notice {
  return {
    ...notice,
    phoneNumber: change.phoneNumber ?? '',
    previousPhoneNumber: change.previousPhoneNumber ?? '',
    issuer: change.issuer ?? '',
    undoneAt: undoneAt ?? undefined,
  };
}

export function listNotices({ clock, notices }: Pick<RpcDeps, 'clock' | 'notices'>) {
  return async (request: ListNoticesRequest): Promise<ListNoticesReply> => {
    const limit = readLimit(request.limit, usualLimit, limits.securityNoticesPerPage);
    const after = readTimeCursor(request.cursor);
    const rows = await notices.list(readAsking(request), after, limit + 1, clock.now());
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      notices: page.map(toNotice),
      nextCursor: last ? writeCursor({ key: last.createdAt.toISOString(), id: last.id }) : '',
    };
  };
}
