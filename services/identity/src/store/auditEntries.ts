import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import {
  auditChainStart,
  toCanonicalDetails,
  hashAuditEntry,
  verifyAuditChain,
  type AuditEntry,
  type NewAuditEntry,
  type AuditVerification,
} from '../domain/auditChain.ts';

const columns = [
  'position',
  'at',
  'operator_id as operatorId',
  'action',
  'user_id as userId',
  'reason',
  'details',
  'hash',
] as const;

/** Lock that serializes all appends. */
const chainLock = 'operator_acts';
const pageRows = 1_000;

/** Appends an entry in the transaction of its action. Call it last, because other appends wait until the commit. */
export async function appendAuditEntry(trx: Knex, { details, ...act }: NewAuditEntry): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 4))', [chainLock]);
  const last: { position: number; hash: Buffer } | undefined = await trx('operator_acts')
    .orderBy('position', 'desc')
    .first('position', 'hash');
  const entry = { ...act, position: (last?.position ?? 0) + 1, details: toCanonicalDetails(details) };
  await trx('operator_acts').insert({
    position: entry.position,
    at: entry.at,
    operator_id: entry.operatorId,
    action: entry.action,
    user_id: entry.userId,
    reason: entry.reason,
    details: entry.details,
    hash: hashAuditEntry(last?.hash ?? auditChainStart, entry),
  });
}

export function listAuditEntries(
  db: Knex,
  { userId, before, limit }: { userId: UserId | undefined; before: number | undefined; limit: number },
): Promise<AuditEntry[]> {
  const page = db('operator_acts').orderBy('position', 'desc').limit(limit);
  if (userId) void page.where({ user_id: userId });
  if (before !== undefined) void page.where('position', '<', before);
  return page.select(...columns);
}

/** Iterates over all actions page by page, from the first. */
export async function* readAuditEntryPages(db: Knex): AsyncGenerator<AuditEntry[]> {
  let after = 0;
  for (;;) {
    const page: AuditEntry[] = await db('operator_acts')
      .where('position', '>', after)
      .orderBy('position')
      .limit(pageRows)
      .select(...columns);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
  }
}

/** Verifies the whole audit against its hashes, and whether a hash that was once the last is part of it. */
export async function verifyAuditLog(
  db: Knex,
  head: Buffer | undefined,
): Promise<{ verified: AuditVerification; knowsHead: boolean }> {
  let verified: AuditVerification = { entries: 0, head: undefined, brokenAt: undefined };
  let knowsHead = head === undefined;
  for await (const page of readAuditEntryPages(db)) {
    verified = verifyAuditChain(verified, page);
    if (verified.brokenAt !== undefined) break;
    knowsHead ||= head !== undefined && page.some(({ hash }) => hash.equals(head));
  }
  return { verified, knowsHead };
}
