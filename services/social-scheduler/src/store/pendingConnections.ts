import { createHash } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { z } from 'zod';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { ConnectionStore } from '../domain/ports.ts';

/** Time in which a user may return from a platform. */
export const pendingConnectionMs = 10 * 60_000;
/** Maximum unfinished connections per user. */
const maxPendingConnections = 20;

const pendingSchema = z.object({
  state: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  server: z.string().optional(),
});

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** Stores connections that users have started on a platform but not completed. */
export function createPendingConnectionStore(
  db: Knex,
  keys: KeyRing,
  clock: Clock,
): Pick<ConnectionStore, 'begin' | 'finish' | 'sweep'> {
  return {
    async begin(userId, platform, pending) {
      const state_hash = hashOf(pending.state);
      const text = await keys.seal(JSON.stringify(pending), `pending ${state_hash.toString('hex')}`);
      const expires_at = new Date(clock.now().getTime() + pendingConnectionMs);
      await inTransaction(db, async (trx) => {
        await trx('pending_connections').insert({ state_hash, user_id: userId, platform, sealed: text, expires_at });
        const newest = trx('pending_connections')
          .where({ user_id: userId })
          .orderBy('expires_at', 'desc')
          .limit(maxPendingConnections);
        await trx('pending_connections')
          .where({ user_id: userId })
          .whereNotIn('state_hash', newest.select('state_hash'))
          .delete();
      });
    },

    async finish(userId, platform, state) {
      const state_hash = hashOf(state);
      const rows = (await db('pending_connections').where({ state_hash, user_id: userId, platform }).delete('*')) as {
        sealed: Buffer;
        expires_at: Date;
      }[];
      const [row] = rows;
      if (!row || row.expires_at <= clock.now()) return undefined;
      return pendingSchema.parse(JSON.parse(await keys.open(row.sealed, `pending ${state_hash.toString('hex')}`)));
    },

    sweep: (now) => db('pending_connections').where('expires_at', '<=', now).delete(),
  };
}
