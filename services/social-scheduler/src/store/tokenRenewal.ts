import { inTransaction, type Knex } from '@nolo/kit/db';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { ConnectionStore } from '../domain/ports.ts';
import type { ConnectionRow, ConnectionTokens } from './connectionTokens.ts';

/** Tokens that end, and are got anew or sealed anew. */
export function createTokenRenewal(
  db: Knex,
  keys: KeyRing,
  { sealed, opened }: ConnectionTokens,
): Pick<ConnectionStore, 'renew' | 'ending' | 'reseal'> {
  const table = (on: Knex = db) => on<ConnectionRow>('connections');
  /** Held meanwhile, for who renews it writes the same. */
  const resealOne = (id: string) =>
    inTransaction(db, async (trx) => {
      const row = await table(trx).where({ id }).forUpdate().first();
      if (!row) return;
      await table(trx)
        .where({ id })
        .update(await sealed(id, (await opened(row)).tokens));
    });

  return {
    renew: (id, stale, renew) =>
      // Held while the platform is asked, as a refresh token is good for one use; and not run again, for the same reason.
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
      }),

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
