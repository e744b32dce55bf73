import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { CodeTry, RightCode, VerificationCodes } from '../domain/ports.ts';

const dayMs = 86_400_000;

export function createVerificationCodes(db: Knex): VerificationCodes {
  return {
    open: (code, limits) =>
      inTransaction(db, async (trx) => {
        // Without the lock, sends that arrive together would each count the ones before them only. The key
        // has 64 bits of a keyed hash, so strangers' numbers do not wait for each other.
        await trx.raw('select pg_advisory_xact_lock(?::bigint)', [code.numberHash.readBigInt64BE(0).toString()]);
        const now = code.now.getTime();
        let retryAfterMs = 0;
        for (const { points, durationSeconds } of limits) {
          const since = new Date(now - durationSeconds * 1000);
          // The oldest send that has to leave the window before another fits in.
          const blocking: { sent_at: Date } | undefined = await trx('verification_sends')
            .where({ number_hash: code.numberHash })
            .where('sent_at', '>', since)
            .orderBy('sent_at', 'desc')
            .offset(points - 1)
            .first('sent_at');
          if (blocking)
            retryAfterMs = Math.max(retryAfterMs, blocking.sent_at.getTime() + durationSeconds * 1000 - now, 1);
        }
        if (retryAfterMs > 0) return { opened: false as const, retryAfterMs };
        await trx('verification_sends').insert({ id: newId(), number_hash: code.numberHash, sent_at: code.now });
        await trx('verification_codes')
          .insert({
            number_hash: code.numberHash,
            id: code.id,
            code_hash: code.codeHash,
            tries: 0,
            created_at: code.now,
            expires_at: code.expiresAt,
            used_at: null,
          })
          .onConflict('number_hash')
          .merge();
        return { opened: true as const };
      }),

    async countTry(numberHash, maxTries, now): Promise<CodeTry> {
      // One statement of its own transaction: the row lock lets each try see the ones before it, and what is
      // counted stays counted whatever becomes of the sign-in.
      const [counted]: { id: string; code_hash: Buffer; tries: number }[] = await db('verification_codes')
        .where({ number_hash: numberHash })
        .whereNull('used_at')
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
        .update({ tries: db.raw('tries + 1') }, ['id', 'code_hash', 'tries']);
      if (counted) {
        return { outcome: 'counted', codeId: counted.id, codeHash: counted.code_hash, triesUsed: counted.tries };
      }
      const spent = await db('verification_codes')
        .where({ number_hash: numberHash })
        .whereNull('used_at')
        .where('expires_at', '>', now)
        .first('id');
      return { outcome: spent ? 'exhausted' : 'none' };
    },

    async sweep(now) {
      await db('verification_codes').where('expires_at', '<=', now).delete();
      // The longest limit looks back one day.
      await db('verification_sends')
        .where('sent_at', '<=', new Date(now.getTime() - dayMs))
        .delete();
    },
  };
}

/** Uses a compared code up, in the transaction that acts on it. False if someone was quicker. */
export async function useCode(trx: Knex, code: RightCode, now: Date): Promise<boolean> {
  const used = await trx('verification_codes')
    .where({ number_hash: code.numberHash, id: code.codeId })
    .whereNull('used_at')
    .update({ used_at: now });
  return used === 1;
}
