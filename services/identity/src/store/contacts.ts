import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { foldText, formatFullName } from '@nolo/rules';
import type { AddContactOutcome, ContactStore, NewContact, StoredContact } from '../domain/ports.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { foldContactName } from './foldedNames.ts';
import { toContainsLikePattern } from './likePatterns.ts';

/** Displayed name of a contact: given by the owner, else the person's own name, else the number. */
const shownName = `case when c.named then c.display_name
  else coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), c.phone_number, c.display_name) end`;

/** Displayed name, folded for search. Null while it is not folded yet. */
const foldedName = `case when c.named then c.folded_name
  when trim(u.first_name || ' ' || u.last_name) <> '' then u.folded_name
  else coalesce(c.phone_number, c.folded_name) end`;

/** Sort key of the list, in code point order like `compareNames` of the rules. */
const sortKey = `coalesce(${foldedName}, lower(${shownName})) collate "C"`;

const contactColumns = `
  c.id, u.id as "userId", ${shownName} as "displayName", c.phone_number as "phoneNumber",
  c.created_at as "createdAt", ${sortKey} as "sortKey"`;

/** Contacts whose account is closed appear as a number only, as if the account were gone. */
const contactRows = `contacts c
  left join users u on u.id = c.user_id and not exists (select from closures x where x.user_id = c.user_id)`;

/** Hides contacts that were added by account if that account is closed. */
const shownRows = '(c.user_id is null or u.id is not null or c.phone_number is not null)';

/** Name of a contact who has not entered a name yet. The owner can rename it. */
const unnamed = 'New contact';

/**
 * Locks a number so that adding and registering it see each other. Otherwise a contact added during sign-up would wait
 * for a sign-up that has already happened. Registration takes the exclusive lock.
 */
export async function lockPhoneNumber(trx: Knex, phoneNumber: string, shared = false): Promise<void> {
  const lock = shared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await trx.raw(`select ${lock}(hashtextextended(?, 1))`, [phoneNumber]);
}

/** Links contacts that waited for a number to its account. Returns the owners of the changed lists. */
export async function linkContactsToAccount(trx: Knex, userId: UserId, phoneNumber: string): Promise<UserId[]> {
  const waiting = () => trx('contacts').whereIn('phone_number', listStoredForms(phoneNumber)).whereNull('user_id');
  // The user's own number, added before it was theirs.
  await waiting().where({ owner_id: userId }).delete();
  // Owners who already had the person by account keep one entry, which now gets the number.
  const doubled: { owner_id: UserId }[] = await waiting()
    .whereIn('owner_id', trx('contacts').where({ user_id: userId }).select('owner_id'))
    .delete(['owner_id']);
  const owners = [...new Set(doubled.map((row) => row.owner_id))];
  await trx('contacts')
    .where({ user_id: userId })
    .whereIn('owner_id', owners)
    .whereNull('phone_number')
    .update({ phone_number: phoneNumber });
  // A list may contain the number in both forms, as earlier releases stored them, but the account only once.
  await waiting()
    .whereNotIn(
      'id',
      waiting()
        .distinctOn('owner_id')
        .orderByRaw('owner_id, named desc, phone_number = ? desc', [phoneNumber])
        .select('id'),
    )
    .delete();
  const claimed: { owner_id: UserId }[] = await waiting().update({ user_id: userId }, ['owner_id']);
  return [...owners, ...claimed.map((row) => row.owner_id)];
}

async function selectContact(
  trx: Knex,
  where: string,
  values: (string | string[])[],
): Promise<StoredContact | undefined> {
  const { rows } = await trx.raw<{ rows: StoredContact[] }>(
    `select ${contactColumns} from ${contactRows} where ${where} limit 1`,
    values,
  );
  return rows[0];
}

/** Returns the account, the number if one was given, and the fallback name; or why there is no such target. */
async function resolveTarget(trx: Knex, { target }: NewContact) {
  if ('phoneNumber' in target) {
    await lockPhoneNumber(trx, target.phoneNumber, true);
    const owner: { id: UserId } | undefined = await trx('users')
      .join('user_phones', 'user_phones.user_id', 'users.id')
      .whereIn('user_phones.phone_number', listStoredForms(target.phoneNumber))
      .whereNotIn('users.id', trx('closures').select('user_id'))
      // Locks the account against deletion until the contact is stored.
      .forKeyShare('users')
      .first('users.id as id');
    return { userId: owner?.id ?? null, phoneNumber: target.phoneNumber, fallbackName: target.phoneNumber };
  }
  const user: { first_name: string; last_name: string } | undefined = await trx('users')
    .where({ id: target.userId })
    .whereNotIn('id', trx('closures').select('user_id'))
    .forKeyShare()
    .first('first_name', 'last_name');
  if (!user) return undefined;
  const fallbackName = formatFullName(user.first_name, user.last_name) || unnamed;
  return { userId: target.userId, phoneNumber: null, fallbackName };
}

/** @param wake called after a commit that changed contacts, for which triggers write events */
export function createContactStore(db: Knex, wake: () => void): ContactStore {
  return {
    /**
     * Adds a contact. A number is linked even if its owner has blocked the user. Left unlinked it would look
     * unregistered, which is visibly false to anyone who has seen it linked. Linked but always offline, it looks like
     * someone who is rarely there.
     */
    async add(contact) {
      const outcome = await inTransaction(db, async (trx): Promise<AddContactOutcome> => {
        const { ownerId, target } = contact;
        if ('userId' in target && target.userId === ownerId) return { outcome: 'self' };
        // Serializes additions to one list, which makes the limit exact and repetition harmless.
        const owner = await trx('users').where({ id: ownerId }).forNoKeyUpdate().first('id');
        if (!owner) return { outcome: 'owner_missing' };
        const resolved = await resolveTarget(trx, contact);
        if (!resolved) return { outcome: 'user_missing' };
        const { userId, phoneNumber, fallbackName } = resolved;
        if (userId === ownerId) return { outcome: 'self' };

        const existing =
          (userId && (await selectContact(trx, 'c.owner_id = ? and c.user_id = ?', [ownerId, userId]))) ||
          (phoneNumber &&
            (await selectContact(trx, 'c.owner_id = ? and c.phone_number = any(?)', [
              ownerId,
              listStoredForms(phoneNumber),
            ])));
        if (existing) {
          const changes: Record<string, unknown> = {};
          if (contact.displayName !== undefined)
            Object.assign(changes, { display_name: contact.displayName, named: true });
          // The number has moved to another account since, and the user asked for the number.
          if (userId && existing.userId !== userId) changes.user_id = userId;
          // Adds the number to a contact that was added by account, unless another entry has it.
          if (phoneNumber && !existing.phoneNumber) {
            const elsewhere = await trx('contacts')
              .where({ owner_id: ownerId })
              .whereIn('phone_number', listStoredForms(phoneNumber))
              .first('id');
            if (!elsewhere) changes.phone_number = phoneNumber;
          }
          if (Object.keys(changes).length > 0) await trx('contacts').where({ id: existing.id }).update(changes);
          await foldContactName(trx, existing.id);
          const now = await selectContact(trx, 'c.id = ?', [existing.id]);
          return { outcome: 'existing', contact: now ?? existing };
        }

        const counted = await trx('contacts').where({ owner_id: ownerId }).count<{ count: number }[]>('* as count');
        if ((counted[0]?.count ?? 0) >= contact.maxContacts) return { outcome: 'limit' };
        await trx('contacts').insert({
          id: contact.id,
          owner_id: ownerId,
          user_id: userId,
          phone_number: phoneNumber,
          display_name: contact.displayName ?? fallbackName,
          named: contact.displayName !== undefined,
          created_at: contact.now,
        });
        await foldContactName(trx, contact.id);
        const added = await selectContact(trx, 'c.id = ?', [contact.id]);
        if (!added) throw new Error('The contact disappeared within the transaction that added it.');
        return { outcome: 'added', contact: added };
      });
      wake();
      return outcome;
    },

    async rename(ownerId, contactId, displayName) {
      return inTransaction(db, async (trx) => {
        await trx('contacts')
          .where({ id: contactId, owner_id: ownerId })
          .update({ display_name: displayName, named: true });
        await foldContactName(trx, contactId);
        return selectContact(trx, 'c.id = ? and c.owner_id = ?', [contactId, ownerId]);
      });
    },

    async remove(ownerId, contactId) {
      const removed = (await db('contacts').where({ id: contactId, owner_id: ownerId }).delete()) === 1;
      if (removed) wake();
      return removed;
    },

    async list(ownerId, filter, after, limit) {
      const conditions = ['c.owner_id = ?', shownRows];
      const values: (string | number)[] = [ownerId];
      if (filter !== '') {
        // Numbers are stored without the spaces, dashes, and brackets that people type.
        const digits = filter.replace(/[\s().-]/g, '');
        const alternatives = [`${foldedName} like ?`, `(${foldedName}) is null and lower(${shownName}) like ?`];
        values.push(toContainsLikePattern(foldText(filter)), toContainsLikePattern(filter.toLowerCase()));
        if (/^\+?\d+$/.test(digits)) {
          alternatives.push('c.phone_number like ?');
          values.push(toContainsLikePattern(digits));
        }
        conditions.push(`(${alternatives.join(' or ')})`);
      }
      if (after) {
        conditions.push(`(${sortKey}, c.id) > (?, ?::uuid)`);
        values.push(after.key, after.id);
      }
      const { rows } = await db.raw<{ rows: StoredContact[] }>(
        `select ${contactColumns} from ${contactRows} where ${conditions.join(' and ')}
         order by ${sortKey}, c.id limit ?`,
        [...values, limit],
      );
      return rows;
    },
  };
}
