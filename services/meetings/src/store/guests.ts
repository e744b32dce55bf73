import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import type { MeetingId, UserId } from '@nolo/kit/ids';
import type { MeetingGuest, GuestStore } from '../domain/ports.ts';

interface GuestRow {
  id: UserId;
  meeting_id: MeetingId;
  name: string;
  token_hash: Buffer;
  visitor_id: UserId | null;
  expires_at: Date;
}

function fromRow(row: GuestRow | undefined): MeetingGuest | undefined {
  return row && { id: row.id, meetingId: row.meeting_id, name: row.name, expiresAt: row.expires_at };
}

export function createGuestStore(db: Knex): GuestStore {
  return {
    async create({ id, meetingId, name, expiresAt }, tokenHash, visitorId) {
      await db('guests').insert({
        id,
        meeting_id: meetingId,
        name,
        token_hash: tokenHash,
        visitor_id: visitorId,
        expires_at: expiresAt,
      });
    },
    barVisitor: (meetingId, guestId, now) =>
      inTransaction(db, async (trx) => {
        const guest = await trx<GuestRow>('guests').where({ id: guestId, meeting_id: meetingId }).first();
        const visitorId = guest?.visitor_id;
        if (!visitorId) return [guestId];
        await trx('barred_visitors')
          .insert({ meeting_id: meetingId, visitor_id: visitorId, barred_at: now })
          .onConflict(['meeting_id', 'visitor_id'])
          .ignore();
        const same = (await trx('guests').where({ meeting_id: meetingId, visitor_id: visitorId }).select('id')) as {
          id: UserId;
        }[];
        return same.map(({ id }) => id);
      }),
    isBarred: async (meetingId, visitorId) =>
      (await db('barred_visitors').where({ meeting_id: meetingId, visitor_id: visitorId }).first('visitor_id')) !==
      undefined,
    findByToken: async (tokenHash, now) =>
      fromRow(await db<GuestRow>('guests').where({ token_hash: tokenHash }).where('expires_at', '>', now).first()),
    find: async (id) => fromRow(await db<GuestRow>('guests').where({ id }).first()),
    async removeExpired(now) {
      await deleteInSteps(db, 'guests', (old) => old.where('expires_at', '<=', now));
    },
  };
}
