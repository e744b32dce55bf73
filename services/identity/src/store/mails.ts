import type { Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { OutgoingMail, MailQueue } from '../domain/securityPorts.ts';

/** Exceeds the duration of a batch, so another replica does not send the same email. */
const leaseMs = 600_000;

/**
 * Stores an email in the transaction of the change that it describes. A caller's ID prevents duplicates while the email
 * is pending.
 */
export async function enqueueMail(trx: Knex, mail: OutgoingMail, now: Date, id: string = newId()): Promise<void> {
  const row = { id, recipient: mail.to, subject: mail.subject, body: mail.text, due_at: now };
  await trx('mails').insert(row).onConflict('id').ignore();
}

export function createMailQueue(db: Knex): MailQueue {
  return {
    async take(now, limit) {
      const due = db('mails').where('due_at', '<=', now).orderBy('due_at').limit(limit).forUpdate().skipLocked();
      return db('mails')
        .whereIn('id', due.select('id'))
        .update({ tries: db.raw('tries + 1'), due_at: new Date(now.getTime() + leaseMs) }, [
          'id',
          'recipient as to',
          'subject',
          'body as text',
          'tries',
        ]);
    },
    async next() {
      const row: { due_at: Date } | undefined = await db('mails').orderBy('due_at').first('due_at');
      return row?.due_at;
    },
    async drop(id) {
      await db('mails').where({ id }).delete();
    },
    async postpone(id, dueAt) {
      await db('mails').where({ id }).update({ due_at: dueAt });
    },
  };
}
