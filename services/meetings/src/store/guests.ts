import type { Knex } from '@nolo/kit/db';
import type { Guest, GuestStore } from '../domain/ports.ts';

interface GuestRow {
  id: string;
  meeting_id: string;
  name: string;
  token_hash: Buffer;
  expires_at: Date;
}

function fromRow(row: GuestRow | undefined): Guest | undefined {
  return row && { id: row.id, meetingId: row.meeting_id, name: row.name, expiresAt: row.expires_at };
}

export function createGuestStore(db: Knex): GuestStore {
  return {
    async create({ id, meetingId, name, expiresAt }, tokenHash) {
      await db('guests').insert({ id, meeting_id: meetingId, name, token_hash: tokenHash, expires_at: expiresAt });
    },
    findByToken: async (tokenHash, now) =>
      fromRow(await db<GuestRow>('guests').where({ token_hash: tokenHash }).where('expires_at', '>', now).first()),
    find: async (id) => fromRow(await db<GuestRow>('guests').where({ id }).first()),
    async removeExpired(now) {
      await db('guests').where('expires_at', '<=', now).delete();
    },
  };
}
