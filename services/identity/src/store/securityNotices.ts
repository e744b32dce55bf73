import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import { deliverySubject, type FrameDelivery } from '@nolo/kit/delivery';
import { enqueue } from '@nolo/kit/outbox';
import { limits } from '@nolo/rules';
import type {
  ListedSecurityNotice,
  SecurityNoticeChange,
  SecurityNoticeKind,
  SecurityNoticeStore,
} from '../domain/securityPorts.ts';
import { toGeoPlace } from '../domain/places.ts';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import { isNotUndoable, createSecurityMail, notUndoableKinds } from '../domain/securityMail.ts';
import { computeUndoWindowStart } from '../domain/undoWindow.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { enqueueMail } from './mails.ts';
import { isSessionProven } from './proofs.ts';
import { loadReaderLocale } from './reading.ts';
import { endSessionsOf, placeOfSession, userAgentOf } from './sessions.ts';
import { undoSecurityChanges } from './undoSecurityChanges.ts';
import { lockAccount, findAccountMail } from './signInMethods.ts';

const dayMs = 86_400_000;
/** `notUndoableKinds` as SQL. */
const settled = notUndoableKinds.map((kind) => `'${kind}'`).join(', ');

export interface NewSecurityNotice {
  userId: UserId;
  /** Session that made the change; the notice shows its device. */
  sessionId: SessionId;
  /** Device without a session. */
  userAgent?: string;
  kind: SecurityNoticeKind;
  change: SecurityNoticeChange;
  /** Account's email address before the change, because the new one may not be the owner's. */
  email: string | null;
  now: Date;
}

/**
 * Records an event in the transaction that causes it and notifies every device and all email addresses, including a
 * removed one.
 */
export async function addSecurityNotice(trx: Knex, notice: NewSecurityNotice): Promise<void> {
  const { userId, sessionId, kind, change, email, now } = notice;
  const userAgent = notice.userAgent ?? (await userAgentOf(trx, sessionId));
  // Devices without a session have no recorded location.
  const where = notice.userAgent === undefined ? await placeOfSession(trx, sessionId) : { country: null, city: null };
  await trx('security_notices').insert({
    id: newId(),
    user_id: userId,
    kind,
    session_id: sessionId,
    user_agent: userAgent,
    ...where,
    change: JSON.stringify(change),
    released_number: change.previousPhoneNumber ?? null,
    created_at: now,
  });
  const delivery: FrameDelivery = { recipients: [userId], frame: { type: 'notices_changed', data: {} } };
  await enqueue(trx, { subject: deliverySubject, payload: delivery });
  const verified = (await findAccountMail(trx, userId))?.email;
  const addresses = [email, change.previousEmail, verified].flatMap((one) => one ?? []);
  if (addresses.length === 0) return;
  const reader = await loadReaderLocale(trx, userId);
  const mail = createSecurityMail({ kind, change, userAgent, place: toGeoPlace(where), reader, now });
  const once = new Map(addresses.map((to) => [normalizeMailAddress(to), to]));
  for (const to of once.values()) await enqueueMail(trx, { to, ...mail }, now);
}

export interface PhoneNumberRelease {
  id: string;
  userId: UserId;
  createdAt: Date;
}

/** Finds the latest change by which a number left an account that it can still take back. */
export function findPhoneNumberRelease(
  trx: Knex,
  phoneNumber: string,
  now: Date,
): Promise<PhoneNumberRelease | undefined> {
  return trx('security_notices')
    .whereIn('released_number', listStoredForms(phoneNumber))
    .whereNull('undone_at')
    .where('created_at', '>', computeUndoWindowStart(now))
    .orderBy('created_at', 'desc')
    .first('id', 'user_id as userId', 'created_at as createdAt');
}

/** @param wake called after a commit that wrote to the outbox */
export function createSecurityNoticeStore(db: Knex, wake: () => void): SecurityNoticeStore {
  return {
    async list({ userId, sessionId }, after, limit, now) {
      const { rows } = await db.raw<{ rows: ListedSecurityNotice[] }>(
        `select n.id, n.kind, n.created_at as "createdAt", n.user_agent as "userAgent", n.country, n.city, n.change,
           n.undone_at as "undoneAt", n.session_id = s.id as "byThisSession",
           n.session_id = s.id or n.undone_at is not null or n.created_at <= s.notices_seen_at
             or (n.kind = 'signed_in' and n.created_at <= s.created_at) as seen,
           n.session_id <> s.id and n.undone_at is null and n.created_at > :since
             and n.kind not in (${settled}) as undoable
         from security_notices n, sessions s
         where n.user_id = :userId and s.id = :sessionId and s.user_id = n.user_id
           ${after ? 'and (n.created_at, n.id) < (:key::timestamptz, :id::uuid)' : ''}
         order by n.created_at desc, n.id desc limit :limit`,
        { userId, sessionId, limit, since: computeUndoWindowStart(now), ...after },
      );
      return rows;
    },

    async markSeen({ userId, sessionId }, noticeId) {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update sessions s set notices_seen_at = greatest(s.notices_seen_at, n.created_at)
         from security_notices n
         where n.id = :noticeId and n.user_id = :userId and s.id = :sessionId and s.user_id = :userId`,
        { noticeId, userId, sessionId },
      );
      return rowCount === 1;
    },

    async undo(requester, noticeId, now) {
      const { userId, sessionId } = requester;
      const undone = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        if (!account || !(await isSessionProven(trx, requester, now))) return { outcome: 'unproven' as const };
        const notice:
          { id: string; kind: SecurityNoticeKind; createdAt: Date; undoneAt: Date | null; by: string } | undefined =
          await trx('security_notices')
            .where({ id: noticeId, user_id: userId })
            .first('id', 'kind', 'created_at as createdAt', 'undone_at as undoneAt', 'session_id as by');
        if (!notice) return { outcome: 'missing' as const };
        const open =
          notice.undoneAt === null && notice.by !== sessionId && notice.createdAt > computeUndoWindowStart(now);
        if (!open || isNotUndoable(notice.kind)) return { outcome: 'settled' as const };
        const changes = await undoSecurityChanges(trx, { userId, since: notice, keep: sessionId, now });
        const ended = await endSessionsOf(trx, userId, sessionId);
        await addSecurityNotice(trx, { userId, sessionId, kind: 'undone', change: {}, email: account.email, now });
        return { outcome: 'undone' as const, changes, endedTokenHashes: ended };
      });
      if (undone.outcome === 'undone') wake();
      return undone;
    },

    async sweep(now) {
      const before = new Date(now.getTime() - limits.securityNoticeDays * dayMs);
      await deleteInSteps(db, 'security_notices', (old) => old.where('created_at', '<=', before));
    },
  };
}
