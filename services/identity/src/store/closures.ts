import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { computeDeletionTime } from '../domain/closures.ts';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import type { AccountClosureStore } from '../domain/ports.ts';
import { eraseAccountRows } from './accountEnds.ts';
import { linkContactsToAccount } from './contacts.ts';
import { createContactsChangedEntries, createSessionsEndedEntries } from './outboxEntries.ts';
import { addSecurityNotice } from './securityNotices.ts';
import { endSessionsOf } from './sessions.ts';
import { listLiveAccessTokenIds } from './tokenEnds.ts';
import { lockAccount, findAccountMail, findAccountPhone } from './signInMethods.ts';

const closed = 'event.identity.account_closed';

/** Notifies the other services that a person became unreachable or reachable. */
const publishAccountClosed = (trx: Knex, userId: UserId, isClosed: boolean): Promise<void> =>
  appendEvents(trx, { subject: closed, key: userId, payload: { userId, closed: isClosed } });

async function enqueueContactsChanged(trx: Knex, userId: UserId): Promise<void> {
  const owners: UserId[] = await trx('contacts').where({ user_id: userId }).pluck('owner_id');
  await enqueue(trx, ...createContactsChangedEntries(owners));
}

const isClosed = async (trx: Knex, userId: UserId): Promise<boolean> =>
  (await trx('closures').where({ user_id: userId }).first('user_id')) !== undefined;

export interface AccountClosureRequest {
  userId: UserId;
  /** Session of the requester. Absent if an operator closes the account. */
  sessionId?: SessionId;
  email: string | null;
  now: Date;
}

/**
 * Closes an account for everyone: signs it out everywhere and hides it from others. Runs in the transaction of a caller
 * that has locked it. An account that is already closed keeps its deletion time.
 */
export async function closeAccount(
  trx: Knex,
  { userId, sessionId, email, now }: AccountClosureRequest,
): Promise<{ idTokenHint: string | undefined; tokenHashes: Buffer[] }> {
  if (await isClosed(trx, userId)) return { idTokenHint: undefined, tokenHashes: [] };
  const deletesAt = computeDeletionTime(now);
  const session: { idToken: string | null } | undefined = await trx('sessions')
    .where({ user_id: userId })
    .whereNotNull('id_token')
    .orderBy('last_used_at', 'desc')
    .first('id_token as idToken');
  await trx('closures').insert({ user_id: userId, closed_at: now, deletes_at: deletesAt });
  const change = { deletesAt: deletesAt.toISOString(), ...(!sessionId && { byOperator: true as const }) };
  await addSecurityNotice(trx, { userId, sessionId: sessionId ?? newId(), kind: 'account_closed', change, email, now });
  const tokenHashes = await endSessionsOf(trx, userId, undefined);
  // Gateways query the tokens again and learn that they are invalid.
  await enqueue(trx, ...createSessionsEndedEntries(userId, await listLiveAccessTokenIds(trx, userId, now)));
  await enqueueContactsChanged(trx, userId);
  await publishAccountClosed(trx, userId, true);
  return { idTokenHint: session?.idToken ?? undefined, tokenHashes };
}

/** Reopens an account in the transaction of a caller that has locked it. Returns false if it was open. */
export async function reopenClosedAccount(
  trx: Knex,
  { userId, sessionId, email, now }: AccountClosureRequest,
): Promise<boolean> {
  if ((await trx('closures').where({ user_id: userId }).delete()) === 0) return false;
  // People who added the number meanwhile saw it as unregistered.
  const phone = await findAccountPhone(trx, userId);
  if (phone) await linkContactsToAccount(trx, userId, phone.phoneNumber);
  await enqueueContactsChanged(trx, userId);
  const change = sessionId ? {} : { byOperator: true as const };
  await addSecurityNotice(trx, { userId, sessionId: sessionId ?? newId(), kind: 'account_kept', change, email, now });
  await publishAccountClosed(trx, userId, false);
  return true;
}

/** @param wake called after a commit that wrote to the outbox or the log */
export function createAccountClosureStore(db: Knex, wake: () => void): AccountClosureStore {
  return {
    async keep({ userId, sessionId }, now) {
      const kept = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        const session: unknown = await trx('sessions').where({ id: sessionId, user_id: userId }).first('id');
        if (!account || !session) return false;
        await reopenClosedAccount(trx, { userId, sessionId, email: account.email, now });
        return true;
      });
      if (kept) wake();
      return kept;
    },

    async eraseDue(now) {
      const erased = await inTransaction(db, async (trx) => {
        const due = () => trx('closures').where('deletes_at', '<=', now);
        const next: { userId: UserId } | undefined = await due().orderBy('deletes_at').first('user_id as userId');
        if (!next || !(await lockAccount(trx, next.userId))) return undefined;
        // The owner kept the account, or another replica deleted it, while this one waited for the lock.
        if (!(await due().where({ user_id: next.userId }).first('user_id'))) return 'nothing';
        const [phone, mail] = [await findAccountPhone(trx, next.userId), await findAccountMail(trx, next.userId)];
        const codesSentTo = [phone?.phoneNumber ?? [], mail ? normalizeMailAddress(mail.email) : []].flat();
        const { tokenHashes } = await eraseAccountRows(trx, next.userId, now);
        return { codesSentTo, tokenHashes };
      });
      if (typeof erased === 'object') wake();
      return erased;
    },
  };
}
