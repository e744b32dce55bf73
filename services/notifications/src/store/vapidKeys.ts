import type { Knex } from '@nolo/kit/db';
import type { KeyRing } from '@nolo/kit/keyRing';
import webPush from 'web-push';
import type { VapidKeys, VapidKeyStore } from '../domain/vapidKeys.ts';

interface KeyRow {
  public_key: string;
  sealed_private_key: Buffer;
}

const bound = 'push key';

export function createVapidKeyStore(db: Knex, ring: KeyRing, configured: VapidKeys | undefined): VapidKeyStore {
  const rows = () => db<KeyRow>('push_keys');
  let kept: Promise<VapidKeys> | undefined;
  const read = async (): Promise<VapidKeys> => {
    if ((await rows().first('public_key')) === undefined) {
      const { publicKey, privateKey } = webPush.generateVAPIDKeys();
      const sealed = await ring.seal(privateKey, bound);
      await rows().insert({ public_key: publicKey, sealed_private_key: sealed }).onConflict('one').ignore();
    }
    const row = await rows().first();
    if (!row) throw new Error('The push keys were removed.');
    return { publicKey: row.public_key, privateKey: await ring.open(row.sealed_private_key, bound) };
  };
  return {
    get(): Promise<VapidKeys> {
      if (configured) return Promise.resolve(configured);
      kept ??= read();
      kept.catch(() => (kept = undefined));
      return kept;
    },
    async reseal(): Promise<void> {
      const row = await rows().first();
      if (!row || !ring.isOld(row.sealed_private_key)) return;
      const sealed = await ring.seal(await ring.open(row.sealed_private_key, bound), bound);
      await rows().where({ public_key: row.public_key }).update({ sealed_private_key: sealed });
    },
  };
}
