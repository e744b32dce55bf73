import { inTransaction, type Knex } from '@nolo/kit/db';
import { enqueue } from '@nolo/kit/outbox';
import { settingsChangedSubject } from '@nolo/installation/settings';
import type { InstallationSettingStore, StoredSettingValue } from '../domain/installationSettings.ts';
import { findOperatorRefusal, recordOperatorAct } from './operators.ts';

/** @param wake called after a commit that wrote to the outbox */
export function createInstallationSettingStore(db: Knex, wake: () => void): InstallationSettingStore {
  const current = (trx: Knex): Promise<StoredSettingValue[]> =>
    trx('installation_settings').orderBy('name').select('name', 'value', 'changed_at as changedAt');

  return {
    current: () => current(db),

    list: (acting, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        return refused ?? { outcome: 'listed' as const, settings: await current(trx) };
      }),

    async change(acting, name, value, now) {
      const done = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        // Serializes changes, so a concurrent change sees the earlier result.
        await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 4))', ['installation_settings']);
        const before = (await current(trx)).find((one) => one.name === name)?.value ?? null;
        if (before === value) return { outcome: 'changed' as const, settings: await current(trx) };
        if (value === null) await trx('installation_settings').where({ name }).delete();
        else {
          const row = { name, value, changed_at: now };
          await trx('installation_settings').insert(row).onConflict('name').merge();
        }
        await enqueue(trx, { subject: settingsChangedSubject, payload: {} });
        const configured = 'as configured';
        const details = { setting: name, value: value ?? configured, before: before ?? configured };
        const settings = await current(trx);
        await recordOperatorAct(trx, { acting, action: 'setting_changed', userId: null, details, now });
        return { outcome: 'changed' as const, settings };
      });
      if (done.outcome === 'changed') wake();
      return done;
    },
  };
}
