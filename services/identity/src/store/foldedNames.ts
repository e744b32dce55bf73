import type { Knex } from '@nolo/kit/db';
import { foldText, formatFullName } from '@nolo/rules';

/** Maximum rows folded per statement. */
const batchSize = 500;

/*
 * Folds a batch of names. A row whose name changes meanwhile keeps its empty column, so an outdated name is never
 * folded.
 */

async function foldUserBatch(db: Knex, ids?: readonly string[]): Promise<number> {
  const query = db('users').whereNull('folded_name').orderBy('id').limit(batchSize);
  if (ids) void query.whereIn('id', ids);
  const rows: { id: string; first: string; last: string }[] = await query.select(
    'id',
    'first_name as first',
    'last_name as last',
  );
  if (rows.length === 0) return 0;
  const folded = rows.map((row) => ({
    ...row,
    folded_name: foldText(formatFullName(row.first, row.last)),
    folded_last_name: foldText(row.last),
  }));
  await db.raw(
    `update users u set folded_name = f.folded_name, folded_last_name = f.folded_last_name
     from jsonb_to_recordset(?::jsonb)
       as f (id uuid, first text, last text, folded_name text, folded_last_name text)
     where u.id = f.id and u.first_name = f.first and u.last_name = f.last`,
    [JSON.stringify(folded)],
  );
  return rows.length;
}

async function foldContactBatch(db: Knex, ids?: readonly string[]): Promise<number> {
  const query = db('contacts').whereNull('folded_name').orderBy('id').limit(batchSize);
  if (ids) void query.whereIn('id', ids);
  const rows: { id: string; name: string }[] = await query.select('id', 'display_name as name');
  if (rows.length === 0) return 0;
  const folded = rows.map((row) => ({ ...row, folded_name: foldText(row.name) }));
  await db.raw(
    `update contacts c set folded_name = f.folded_name
     from jsonb_to_recordset(?::jsonb) as f (id uuid, name text, folded_name text)
     where c.id = f.id and c.display_name = f.name`,
    [JSON.stringify(folded)],
  );
  return rows.length;
}

/** Folds the name of an account for search. Called in the transaction of whatever may have changed the name. */
export async function foldUserName(trx: Knex, userId: string): Promise<void> {
  await foldUserBatch(trx, [userId]);
}

/** Folds the name of a contact for search. Called in the transaction of whatever may have changed the name. */
export async function foldContactName(trx: Knex, contactId: string): Promise<void> {
  await foldContactBatch(trx, [contactId]);
}

/** Folds names that are not folded yet. */
export async function foldRemainingNames(db: Knex): Promise<void> {
  while ((await foldUserBatch(db)) === batchSize);
  while ((await foldContactBatch(db)) === batchSize);
}
