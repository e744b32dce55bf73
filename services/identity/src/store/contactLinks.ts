import { randomBytes } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import type { ContactLinkStore } from '../domain/ports.ts';

/**
 * Creates a token that cannot be guessed, yet is short enough for a QR code that a camera reads from across a table.
 */
const newToken = () => randomBytes(16).toString('base64url');

export function createContactLinkStore(db: Knex): ContactLinkStore {
  return {
    async tokenOf(userId, renew, now) {
      const link = db('contact_links')
        .insert({ user_id: userId, token: newToken(), made_at: now })
        .onConflict('user_id');
      await (renew ? link.merge() : link.ignore());
      const row: { token: string } | undefined = await db('contact_links').where({ user_id: userId }).first('token');
      return row?.token ?? '';
    },

    async ownerOf(token) {
      const row = await db('contact_links').where({ token }).first('user_id as userId');
      return row?.userId;
    },
  };
}
