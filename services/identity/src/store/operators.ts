import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { limits, toUsernameSkeleton } from '@nolo/rules';
import type { NewAuditEntry, OperatorAction } from '../domain/auditChain.ts';
import type {
  AccountFacts,
  AccountQuery,
  OperatorActor,
  OperatorStore,
  OperatorRefusal,
} from '../domain/operatorPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { eraseAccountRows } from './accountEnds.ts';
import { closeAccount, reopenClosedAccount } from './closures.ts';
import { createSessionsEndedEntries } from './outboxEntries.ts';
import { readAuditEntryPages, appendAuditEntry, listAuditEntries, verifyAuditLog } from './auditEntries.ts';
import { endSessionsOf } from './sessions.ts';
import { selectLiveSuspensions } from './suspensions.ts';
import { listLiveAccessTokenIds } from './tokenEnds.ts';
import { lockAccount, findAccountPhone } from './signInMethods.ts';

const proofMs = limits.operatorProofSeconds * 1_000;

interface Standing {
  provenAt: Date | null;
  provenBy: string | null;
  hasPasskey: boolean;
}

/**
 * Returns whether the requesting session belongs to an operator and is proven. Keeps the operator from being removed
 * until the commit.
 */
async function standing(trx: Knex, { userId, sessionId }: RequestingSession, now: Date) {
  const { rows } = await trx.raw<{ rows: Standing[] }>(
    `select s.proven_at as "provenAt", s.proven_by as "provenBy",
       exists (select from user_passkeys p where p.user_id = o.user_id) as "hasPasskey"
     from operators o left join sessions s on s.id = :sessionId and s.user_id = o.user_id
     where o.user_id = :userId for share of o`,
    { userId, sessionId },
  );
  const [row] = rows;
  const refused = (why: OperatorRefusal['why']): OperatorRefusal => ({ outcome: 'refused', why });
  if (!row) return refused('none');
  const { provenAt, provenBy, hasPasskey } = row;
  if (hasPasskey && provenBy !== 'passkey') return refused('passkey');
  const until = new Date((provenAt?.getTime() ?? 0) + proofMs);
  if (until <= now) return refused(hasPasskey ? 'passkey' : 'proof');
  return { outcome: 'proven' as const, until };
}

/** Returns why the actor may not act, or undefined if permitted. */
export async function findOperatorRefusal(
  trx: Knex,
  acting: OperatorActor,
  now: Date,
): Promise<OperatorRefusal | undefined> {
  if (acting === 'command line') return undefined;
  const found = await standing(trx, acting, now);
  return found.outcome === 'refused' ? found : undefined;
}

interface OperatorActInput {
  acting: OperatorActor;
  action: OperatorAction;
  userId: UserId | null;
  reason?: string;
  details?: NewAuditEntry['details'];
  now: Date;
}

/** Writes an action to the audit in the transaction that performs it. */
export const recordOperatorAct = (
  trx: Knex,
  { acting, now, reason, details = {}, ...operation }: OperatorActInput,
): Promise<void> =>
  appendAuditEntry(trx, {
    ...operation,
    at: now,
    operatorId: acting === 'command line' ? null : acting.userId,
    reason: reason ?? null,
    details,
  });

function idsOf(db: Knex, query: AccountQuery): Promise<UserId[]> {
  switch (query.by) {
    case 'id':
      return db('users').where({ id: query.id }).pluck('id');
    case 'number':
      return db('user_phones').whereIn('phone_number', listStoredForms(query.phoneNumber)).pluck('user_id');
    case 'mail':
      return db('users')
        .whereRaw('lower(email) = lower(?)', [query.email])
        .orderBy('id')
        .limit(limits.operatorAccountsFound)
        .pluck('id');
    case 'username':
      return db('usernames')
        .where({ skeleton: toUsernameSkeleton(query.username), username: query.username })
        .whereNull('released_at')
        .whereNotNull('user_id')
        .pluck('user_id');
  }
}

type FactsRow = Omit<AccountFacts, 'suspension'>;

async function factsOf(db: Knex, ids: readonly UserId[], now: Date): Promise<AccountFacts[]> {
  const { rows } = await db.raw<{ rows: FactsRow[] }>(
    `select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email, u.created_at as "createdAt",
       (select p.phone_number from user_phones p where p.user_id = u.id) as "phoneNumber",
       (select n.username from usernames n where n.user_id = u.id and n.released_at is null) as username,
       (select count(*)::integer from sessions s where s.user_id = u.id and s.expires_at > :now) as devices,
       (select max(s.last_used_at) from sessions s where s.user_id = u.id and s.expires_at > :now) as "lastUsedAt",
       (select c.deletes_at from closures c where c.user_id = u.id) as "deletesAt",
       exists (select from operators o where o.user_id = u.id) as operator
     from users u where u.id = any(:ids) order by u.id`,
    { now, ids: [...ids] as unknown as string },
  );
  const kept: (NonNullable<AccountFacts['suspension']> & { userId: UserId })[] = await selectLiveSuspensions(db, now)
    .whereIn('user_id', ids)
    .select('user_id as userId', 'reason', 'since', 'until');
  const of = new Map(kept.map(({ userId, ...suspension }) => [userId, suspension]));
  return rows.map((row) => ({ ...row, suspension: of.get(row.id) ?? null }));
}

/** Ends the user's sessions and tokens and makes gateways query them again. */
async function putOut(trx: Knex, userId: UserId, now: Date): Promise<Buffer[]> {
  const hashes = await endSessionsOf(trx, userId, undefined, { suspended: true });
  await enqueue(trx, ...createSessionsEndedEntries(userId, await listLiveAccessTokenIds(trx, userId, now)));
  return hashes;
}

const isOperator = async (trx: Knex, userId: UserId): Promise<boolean> =>
  (await trx('operators').where({ user_id: userId }).forShare().first('user_id')) !== undefined;

const recordIn =
  (db: Knex): OperatorStore['record'] =>
  (acting, { reason, ...act }, now) =>
    inTransaction(db, async (trx) => {
      const refused = await findOperatorRefusal(trx, acting, now);
      if (refused) return refused;
      await recordOperatorAct(trx, { acting, ...act, ...(reason !== null && { reason }), now });
      return { outcome: 'recorded' as const };
    });

/** Appoints operators. Available only on the command line. */
const appointments = (db: Knex): Pick<OperatorStore, 'list' | 'add' | 'remove'> => ({
  list: () => db('operators').orderBy(['since', 'user_id']).select('user_id as userId', 'since'),

  async add(userId, now) {
    return inTransaction(db, async (trx) => {
      if (!(await lockAccount(trx, userId))) return 'missing';
      const rows: unknown[] = await trx('operators')
        .insert({ user_id: userId, since: now })
        .onConflict('user_id')
        .ignore()
        .returning('user_id');
      if (rows.length === 0) return 'unchanged';
      await recordOperatorAct(trx, { acting: 'command line', action: 'operator_added', userId, now });
      return 'added';
    });
  },

  async remove(userId, now) {
    return inTransaction(db, async (trx) => {
      if ((await trx('operators').where({ user_id: userId }).delete()) === 0) return false;
      await recordOperatorAct(trx, { acting: 'command line', action: 'operator_removed', userId, now });
      return true;
    });
  },
});

/** @param wake called after a commit that wrote to the outbox */
export function createOperatorStore(db: Knex, wake: () => void): OperatorStore {
  /** Performs an action on one account after checking permission and locking the account. */
  const about = async <T extends { outcome: string }>(
    { acting, userId, now }: { acting: OperatorActor; userId: UserId; now: Date },
    operation: (trx: Knex, email: string | null) => Promise<T>,
  ): Promise<T | OperatorRefusal | { outcome: 'missing' }> => {
    const done = await inTransaction(db, async (trx) => {
      const refused = await findOperatorRefusal(trx, acting, now);
      if (refused) return refused;
      const account = await lockAccount(trx, userId);
      return account ? operation(trx, account.email) : { outcome: 'missing' as const };
    });
    if (done.outcome !== 'refused') wake();
    return done;
  };

  const changed = async (trx: Knex, userId: UserId, endedTokenHashes: Buffer[], now: Date) => {
    const [account] = await factsOf(trx, [userId], now);
    return account ? { outcome: 'changed' as const, account, endedTokenHashes } : { outcome: 'missing' as const };
  };

  return {
    ...appointments(db),

    check: (requester, now) => inTransaction(db, (trx) => standing(trx, requester, now)),

    find: (acting, query, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const accounts = await factsOf(trx, await idsOf(trx, query), now);
        // Omits the search text: numbers and addresses are deleted with their accounts.
        const auditEntry = { acting, action: 'account_looked_up' as const, details: { by: query.by }, now };
        for (const { id } of accounts) await recordOperatorAct(trx, { ...auditEntry, userId: id });
        if (accounts.length === 0) await recordOperatorAct(trx, { ...auditEntry, userId: null });
        return { outcome: 'found' as const, accounts };
      }),

    suspend: (acting, userId, { reason, since: now, until }) =>
      about({ acting, userId, now }, async (trx) => {
        if (await isOperator(trx, userId)) return { outcome: 'is_operator' as const };
        await trx('suspensions').insert({ user_id: userId, reason, since: now, until }).onConflict('user_id').merge();
        const hashes = await putOut(trx, userId, now);
        const details: NewAuditEntry['details'] = until ? { until: until.toISOString() } : {};
        await recordOperatorAct(trx, { acting, action: 'account_suspended', userId, reason, details, now });
        return changed(trx, userId, hashes, now);
      }),

    lift: (acting, userId, reason, now) =>
      about({ acting, userId, now }, async (trx) => {
        const lifted = await selectLiveSuspensions(trx, now).where({ user_id: userId }).delete();
        if (lifted === 0) return { outcome: 'not_suspended' as const };
        await recordOperatorAct(trx, { acting, action: 'suspension_lifted', userId, reason, now });
        return changed(trx, userId, [], now);
      }),

    signOut: (acting, userId, reason, now) =>
      about({ acting, userId, now }, async (trx) => {
        const hashes = await endSessionsOf(trx, userId, undefined);
        const details = { sessions: hashes.length };
        await recordOperatorAct(trx, { acting, action: 'account_signed_out', userId, reason, details, now });
        return changed(trx, userId, hashes, now);
      }),

    erase: (acting, userId, { reason, atOnce, now }) =>
      about({ acting, userId, now }, async (trx, email) => {
        if (await isOperator(trx, userId)) return { outcome: 'is_operator' as const };
        const phone = atOnce ? await findAccountPhone(trx, userId) : undefined;
        const { tokenHashes } = atOnce
          ? await eraseAccountRows(trx, userId, now)
          : await closeAccount(trx, { userId, email, now });
        const action = atOnce ? 'account_deleted' : 'account_closed';
        await recordOperatorAct(trx, { acting, action, userId, reason, now });
        return { outcome: 'erased' as const, phoneNumber: phone?.phoneNumber ?? null, endedTokenHashes: tokenHashes };
      }),

    reopen: (acting, userId, reason, now) =>
      about({ acting, userId, now }, async (trx, email) => {
        if (!(await reopenClosedAccount(trx, { userId, email, now }))) return { outcome: 'open' as const };
        await recordOperatorAct(trx, { acting, action: 'account_reopened', userId, reason, now });
        return changed(trx, userId, [], now);
      }),

    record: recordIn(db),

    acts: (acting, filter, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        return refused ?? { outcome: 'listed' as const, acts: await listAuditEntries(trx, filter) };
      }),

    async verify(acting, now, head) {
      const refused = await inTransaction(db, (trx) => findOperatorRefusal(trx, acting, now));
      if (refused) return refused;
      return { outcome: 'verified', ...(await verifyAuditLog(db, head)) };
    },

    async *everyAct() {
      for await (const page of readAuditEntryPages(db)) yield* page;
    },
  };
}
