import { checkBoxKeys, checkClaim, equalBytes, fromUuid } from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import type { SessionId } from '@nolo/kit/ids';
import { accountBytesOf } from '../domain/deviceLists.ts';
import type { DeviceStore } from '../domain/keyPorts.ts';
import { findDeviceOfSession, loadNewestList, toBytes } from './deviceRows.ts';
import { ownsSession } from './proofs.ts';
import { userAgentOf } from './sessions.ts';
import { lockAccount } from './signInMethods.ts';

interface ClaimableDevice {
  signKey: Buffer;
  sessionId: SessionId | null;
}

/** @param wake called after a commit that wrote to the outbox */
export function createDeviceStore(db: Knex, wake: () => void): DeviceStore {
  return {
    deviceOf: (requester) => findDeviceOfSession(db, requester),

    renewBoxKeys: (requester, statement) =>
      inTransaction(db, async (trx) => {
        await lockAccount(trx, requester.userId);
        const [deviceId, newest] = [
          await findDeviceOfSession(trx, requester),
          await loadNewestList(trx, requester.userId),
        ];
        if (!deviceId || !newest) return 'device_missing';
        const stored: { number: number; body: Buffer } | undefined = await trx('box_keys')
          .where({ device_id: deviceId })
          .first('number', 'body');
        const known = stored && { number: stored.number, body: toBytes(stored.body) };
        const { number, at } = await checkBoxKeys(statement, newest.checked.list, fromUuid(deviceId), known);
        if (known && equalBytes(known.body, statement.body)) return 'repeated';
        const keys = {
          number,
          body: Buffer.from(statement.body),
          signature: Buffer.from(statement.signature),
          at: new Date(at),
        };
        await trx('box_keys')
          .insert({ device_id: deviceId, ...keys })
          .onConflict('device_id')
          .merge(keys);
        return 'renewed';
      }),

    async claim(requester, deviceId, signature, now) {
      const { userId, sessionId } = requester;
      const outcome = await inTransaction(db, async (trx) => {
        if (!(await lockAccount(trx, userId)) || !(await ownsSession(trx, requester, now))) return 'session_missing';
        const device: ClaimableDevice | undefined = await trx('devices')
          .where({ id: deviceId, user_id: userId })
          .whereNull('removed_at')
          .whereNot({ kind: 2 })
          .first('sign_key as signKey', 'session_id as sessionId');
        if (!device) return 'missing';
        const claim = {
          account: accountBytesOf(userId),
          device: fromUuid(deviceId),
          session: fromUuid(sessionId),
        };
        await checkClaim(claim, toBytes(device.signKey), signature);
        if (device.sessionId === sessionId) return 'repeated';
        if (await findDeviceOfSession(trx, requester)) return 'device_present';
        await trx('devices')
          .where({ id: deviceId })
          .update({
            session_id: sessionId,
            suspended_at: null,
            session_expired: false,
            name: await userAgentOf(trx, sessionId),
          });
        return 'claimed';
      });
      if (outcome === 'claimed') wake();
      return outcome;
    },

    putSeed: (requester, passkeyId, wrapped, now) =>
      inTransaction(db, async (trx) => {
        const { userId } = requester;
        await lockAccount(trx, userId);
        if (!(await findDeviceOfSession(trx, requester))) return 'device_missing';
        const passkey: unknown = await trx('user_passkeys').where({ id: passkeyId, user_id: userId }).first('id');
        if (!passkey) return 'passkey_missing';
        const seed = { wrapped: Buffer.from(wrapped), at: now };
        await trx('passkey_seeds')
          .insert({ passkey_id: passkeyId, user_id: userId, ...seed })
          .onConflict('passkey_id')
          .merge(seed);
        return 'stored';
      }),

    async deleteSeed(requester, passkeyId) {
      if (!(await findDeviceOfSession(db, requester))) return 'device_missing';
      await db('passkey_seeds').where({ passkey_id: passkeyId, user_id: requester.userId }).delete();
      return 'deleted';
    },
  };
}
