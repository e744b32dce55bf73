import type { Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { createContactsChangedEntries, createSessionsEndedEntries } from './outboxEntries.ts';
import { listLiveAccessTokenIds } from './tokenEnds.ts';

/**
 * Deletes an account with all its data and notifies the other services. Runs in the transaction of a caller that has
 * locked the account, so a concurrent sign-in cannot add a session.
 */
export async function eraseAccountRows(
  trx: Knex,
  userId: UserId,
  now: Date,
): Promise<{ idTokenHint: string | undefined; tokenHashes: Buffer[] }> {
  const sessions: { id: string; tokenHash: Buffer; idToken: string | null }[] = await trx('sessions')
    .where({ user_id: userId })
    .orderBy('last_used_at', 'desc')
    .select('id', 'token_hash as tokenHash', 'id_token as idToken');
  const kept: { owner_id: UserId }[] = await trx('contacts')
    .where({ user_id: userId })
    .whereNotNull('phone_number')
    .update({ user_id: null }, ['owner_id']);
  const removed: { owner_id: UserId }[] = await trx('contacts').where({ user_id: userId }).delete(['owner_id']);
  const tokenIds = await listLiveAccessTokenIds(trx, userId, now);
  // The username stays reserved for a while without revealing its former owner.
  await trx('usernames').where({ user_id: userId }).whereNull('released_at').update({ released_at: now });
  // Operators keep the report, but the reporter's note is deleted.
  await trx('reports').where({ reporter_id: userId }).update({ note: null });
  // Deleted first: the end of a session would suspend its device, and announce that.
  await trx('devices').where({ user_id: userId }).delete();
  // Phones, providers, passkeys, sessions, tokens, own contacts, and blocks in both directions are deleted with the
  // account. Its signed device lists stay while a conversation names them.
  await trx('users').where({ id: userId }).delete();
  await appendEvents(trx, { subject: 'event.identity.user_deleted', key: userId, payload: { userId } });
  await enqueue(
    trx,
    ...createSessionsEndedEntries(userId, [...sessions.map((session) => session.id), ...tokenIds]),
    ...createContactsChangedEntries([...kept, ...removed].map((contact) => contact.owner_id)),
  );
  return {
    idTokenHint: sessions.find((session) => session.idToken)?.idToken ?? undefined,
    tokenHashes: sessions.map((session) => session.tokenHash),
  };
}
