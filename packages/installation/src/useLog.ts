import type { Knex } from 'knex';
import { createAppError } from '@nolo/kit/errors';
import { parseId } from '@nolo/kit/ids';

/** `nolo.kit.v1.UseLogService`, which is defined in the protos and bound to this by the service. */
export interface ReadUsesRequest {
  feature: string;
  after?: string | undefined;
  limit?: number | undefined;
  reportedSince?: Date | undefined;
  ids: string[];
}

export interface ReadUsesReply {
  uses: { id: string; userId: string; amount?: number | undefined; usedAt: Date | undefined; reported: boolean }[];
  keptSince: Date | undefined;
  nextAfter?: string | undefined;
}

interface UseRow {
  id: string;
  feature: string;
  used_at: Date;
  user_id: string;
  amount: number | null;
  told_at: Date | null;
}

const maxIdsPerPage = 1_000;

interface IdPage {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly ids: readonly string[];
}

/** Returns the page size and the id after which to read, for readers in id order. */
export function parseIdPage({ after, limit = maxIdsPerPage, ids }: IdPage) {
  const place = after === undefined ? undefined : parseId(after);
  const only = ids.map((id) => parseId(id));
  if ((after !== undefined && !place) || only.includes(undefined) || ids.length > maxIdsPerPage) {
    throw createAppError(
      'invalid',
      'invalid_request',
      `after and ids must be valid ids, at most ${maxIdsPerPage} of them.`,
    );
  }
  return { place, limit: Math.min(Math.max(limit, 1), maxIdsPerPage), ids: only.filter((id) => id !== undefined) };
}

/**
 * Creates the log of uses that a service has reported, from the rows of `createUseTable` and `addReportedUseRetention`;
 * for `UseLogService`.
 */
export function createUseLog(db: Knex): { readUses(request: ReadUsesRequest): Promise<ReadUsesReply> } {
  return {
    async readUses(request) {
      const { place, limit, ids } = parseIdPage(request);
      const query = db<UseRow>('use_ends').where({ feature: request.feature }).orderBy('id').limit(limit);
      if (place) void query.where('id', '>', place);
      if (ids.length > 0) void query.whereIn('id', ids);
      else void query.where('told_at', '>=', request.reportedSince ?? new Date(0));
      const rows = await query.select('id', 'user_id', 'amount', 'used_at', 'told_at');
      const kept = await db<{ since: Date }>('use_ends_kept').first('since');
      return {
        uses: rows.map(({ id, user_id: userId, amount, used_at: usedAt, told_at: reportedAt }) => ({
          id,
          userId,
          amount: amount ?? undefined,
          usedAt,
          reported: reportedAt !== null,
        })),
        keptSince: kept?.since,
        nextAfter: rows.length === limit ? rows.at(-1)?.id : undefined,
      };
    },
  };
}
