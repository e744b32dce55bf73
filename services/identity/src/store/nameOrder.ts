import type { Knex } from '@nolo/kit/db';

/**
 * How names are put in order: as people expect it, É beside E and not after Z, by Unicode's root collation. A database's
 * own order is often that of bytes. Where PostgreSQL was built without ICU that is what remains. There is no index in
 * this order: a list has at most five thousand names, and an index would be wrong after each new version of ICU.
 *
 * @returns what stands after an expression, asked for once.
 */
export function createNameOrder(db: Knex): () => Promise<string> {
  let asked: Promise<string> | undefined;
  const ask = async () => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select 1 from pg_collation
       where collname = 'und-x-icu' and collencoding in (-1, pg_char_to_encoding(getdatabaseencoding()))`,
    );
    return rows.length > 0 ? 'collate "und-x-icu"' : '';
  };
  return () => {
    asked ??= ask();
    // A database that was away when it was asked is asked again.
    asked.catch(() => (asked = undefined));
    return asked;
  };
}
