import { inTransaction, type Knex } from '@nolo/kit/db';
import type { KeyRing } from '@nolo/kit/keyRing';
import { Semaphore } from '@nolo/kit/semaphore';
import { createKeyedSerialQueue } from '@nolo/kit/serialQueue';
import type { ConnectionStore } from '../domain/ports.ts';
import { publishQueue } from '../domain/publishQueue.ts';
import { createPublishRetryError } from '../errors.ts';
import type { ConnectionRow, ConnectionTokenCipher } from './connectionTokenCipher.ts';

/**
 * Maximum concurrent renewals per process. Each holds a pool connection while its platform responds, so using more than
 * half of the default pool would make posts and user requests wait for slow platforms.
 */
const renewalsAtOnce = 2;

/** Renews and re-encrypts expiring tokens. */
export function createTokenRenewal(
  db: Knex,
  keys: KeyRing,
  { sealed, opened }: ConnectionTokenCipher,
): Pick<ConnectionStore, 'renew' | 'ending' | 'reseal'> {
  const table = (on: Knex = db) => on<ConnectionRow>('connections');
  /** Locks the row, because a renewal writes the same columns. */
  const resealOne = (id: string) =>
    inTransaction(db, async (trx) => {
      const row = await table(trx).where({ id }).forUpdate().first();
      if (!row) return;
      await table(trx)
        .where({ id })
        .update(await sealed(id, (await opened(row)).tokens));
    });

  const busy = () => createPublishRetryError('busy', 1_000);
  const renewals = new Semaphore({ atOnce: renewalsAtOnce, maxWaiting: publishQueue.concurrency, busy });
  /** Serializes renewals of one account in memory, because waiting for its row lock would occupy several slots. */
  const inTurn = createKeyedSerialQueue(busy);

  return {
    renew({ id, platform, tokens: stale }, renew) {
      // The lock is held while the platform responds, because a refresh token works once. The transaction is never
      // retried for the same reason.
      const renewOnce = () =>
        db.transaction(async (trx) => {
          const row = await table(trx).where({ id }).forUpdate().first();
          if (!row) return undefined;
          const now = await opened(row);
          if (now.tokens.access.reveal() !== stale.access.reveal()) return now;
          const renewed = await renew(now);
          await table(trx)
            .where({ id })
            .update({ ...(await sealed(id, renewed)), state: 'active' });
          return { ...now, tokens: renewed, state: 'active' as const };
        });
      // Platforms take turns, so that a slow one delays others as little as possible.
      return inTurn(id, () => renewals.take(renewOnce, { key: platform }));
    },

    async ending(before) {
      const rows = await table()
        .where({ state: 'active' })
        .where('tokens_end_at', '<', before)
        .orderBy('tokens_end_at')
        .limit(500);
      return await Promise.all(rows.map(opened));
    },

    async reseal(pageSize) {
      let count = 0;
      let after: string | undefined;
      do {
        const page = table().orderBy('id').limit(pageSize);
        if (after !== undefined) void page.where('id', '>', after);
        const rows = await page.select('id', 'sealed_tokens');
        const old = rows.filter((row) => keys.isOld(row.sealed_tokens));
        for (const { id } of old) await resealOne(id);
        count += old.length;
        after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
      } while (after !== undefined);
      return count;
    },
  };
}
