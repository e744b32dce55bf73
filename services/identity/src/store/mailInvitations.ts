import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { mailInvitationLimits } from '@nolo/rules';
import { normalizeMailAddress } from '../domain/mailAddresses.ts';
import {
  createInvitationMail,
  computeMailInvitationExpiry,
  type MailInvitation,
  type MailInvitationStore,
} from '../domain/mailInvitations.ts';
import { hashToken, newToken } from '../domain/sessions.ts';
import { enqueueMail } from './mails.ts';
import { findOperatorRefusal, recordOperatorAct } from './operators.ts';

const columns = ['id', 'email', 'sent_at as sentAt', 'expires_at as expiresAt'] as const;

/** Serializes invitations, so a concurrent one counts earlier ones. */
const takeTurn = (trx: Knex) => trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 4))', ['mail_invitations']);

/** Returns which addresses belong to an account: verified by a provider or by a code. */
async function knownOf(trx: Knex, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await trx.raw<{ rows: { key: string }[] }>(
    `select email_key as key from user_emails where email_key = any(:keys)
     union select lower(email) from users where lower(email) = any(:keys)`,
    { keys: [...keys] as unknown as string },
  );
  return new Set(rows.map(({ key }) => key));
}

/** @param wake called after a commit that wrote an email */
export function createMailInvitationStore(db: Knex, wake: () => void): MailInvitationStore {
  return {
    list: (acting, { before, limit }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const page = trx('mail_invitations')
          .where('expires_at', '>', now)
          .orderBy([
            { column: 'sent_at', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(limit);
        if (before) void page.whereRaw('(sent_at, id) < (?, ?::uuid)', [before.sentAt, before.id]);
        const invitations: MailInvitation[] = await page.select(...columns);
        return { outcome: 'listed' as const, invitations };
      }),

    async invite(acting, { emails, language, publicUrl }, now) {
      const done = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        await takeTurn(trx);
        const byKey = new Map(emails.map((email) => [normalizeMailAddress(email), email]));
        const known = await knownOf(trx, [...byKey.keys()]);
        const wanted = [...byKey].filter(([key]) => !known.has(key));
        const others = trx('mail_invitations').whereNotIn(
          'email_key',
          wanted.map(([key]) => key),
        );
        const waiting: unknown[] = await others.where('expires_at', '>', now).select('id');
        if (waiting.length + wanted.length > mailInvitationLimits.waiting) return { outcome: 'too_many' as const };
        const expiresAt = computeMailInvitationExpiry(now);
        const invitations: MailInvitation[] = [];
        for (const [key, email] of wanted) {
          const token = newToken();
          const row = { email, token_hash: hashToken(token), sent_at: now, expires_at: expiresAt };
          const rows: { id: string }[] = await trx('mail_invitations')
            .insert({ id: newId(), email_key: key, ...row })
            .onConflict('email_key')
            .merge(row)
            .returning('id');
          const id = rows[0]?.id ?? '';
          // A pending email contains a token that has just become invalid.
          await trx('mails').where({ id }).delete();
          await enqueueMail(
            trx,
            { to: email, ...createInvitationMail({ publicUrl, token, expiresAt }, language) },
            now,
            id,
          );
          invitations.push({ id, email, sentAt: now, expiresAt });
        }
        for (const { id } of invitations) {
          // Omits the address, which is deleted with the invitation.
          const details = { invitation: id, language, until: expiresAt.toISOString() };
          await recordOperatorAct(trx, { acting, action: 'mail_invitation_sent', userId: null, details, now });
        }
        return {
          outcome: 'invited' as const,
          invitations,
          known: [...byKey].flatMap(([key, email]) => (known.has(key) ? email : [])),
        };
      });
      if (done.outcome === 'invited') wake();
      return done;
    },

    withdraw: (acting, id, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const gone = await trx('mail_invitations').where({ id }).where('expires_at', '>', now).delete();
        if (gone === 0) return { outcome: 'none' as const };
        await trx('mails').where({ id }).delete();
        const details = { invitation: id };
        await recordOperatorAct(trx, { acting, action: 'mail_invitation_withdrawn', userId: null, details, now });
        return { outcome: 'withdrawn' as const };
      }),

    async sweep(now) {
      await db('mail_invitations').where('expires_at', '<=', now).delete();
    },
  };
}
