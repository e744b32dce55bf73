import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { createBrandChangedEvent, type Brand } from '../domain/brand.ts';
import type { BrandStore } from '../domain/ports.ts';

interface BrandRow {
  owner_id: UserId;
  name: string;
  color: string;
  logo_path: string | null;
  updated_at: Date;
}

const brandOf = ({ name, color, logo_path: logoPath }: BrandRow): Brand => ({ name, color, logoPath });

export function createBrandStore(db: Knex): BrandStore {
  const lockBrand = (trx: Knex, ownerId: UserId) =>
    trx<BrandRow>('brands').where({ owner_id: ownerId }).forUpdate().first();

  return {
    async find(ownerId) {
      const row = await db<BrandRow>('brands').where({ owner_id: ownerId }).first();
      return row && brandOf(row);
    },

    set: (ownerId, { name, color, logoPath }, now) =>
      inTransaction(db, async (trx) => {
        // Serializes changes, so a concurrent one sees the earlier result and releases its logo.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 15))', [ownerId]);
        const before = await lockBrand(trx, ownerId);
        const logo = logoPath === undefined ? (before?.logo_path ?? null) : logoPath;
        const row: BrandRow = { owner_id: ownerId, name, color, logo_path: logo, updated_at: now };
        await trx<BrandRow>('brands').insert(row).onConflict('owner_id').merge();
        const same = before?.name === name && before.color === color && before.logo_path === logo;
        if (!same) await appendEvents(trx, createBrandChangedEvent(ownerId, 'set', now));
        const former = before?.logo_path ?? null;
        return { brand: brandOf(row), formerLogo: former === logo ? null : former };
      }),

    remove: (ownerId, now) =>
      inTransaction(db, async (trx) => {
        const before = await lockBrand(trx, ownerId);
        if (!before) return null;
        await trx('brands').where({ owner_id: ownerId }).delete();
        await appendEvents(trx, createBrandChangedEvent(ownerId, 'removed', now));
        return before.logo_path;
      }),

    async forget(ownerId) {
      await db('brands').where({ owner_id: ownerId }).delete();
    },
  };
}
