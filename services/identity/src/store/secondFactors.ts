import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import type { KeyRing } from '@nolo/kit/keyRing';
import { limits } from '@nolo/rules';
import type { SecondFactorStore } from '../domain/secondFactorPorts.ts';
import { findTotpStep } from '../domain/oneTimePasswords.ts';
import { hashRecoveryCode } from '../domain/recoveryCodes.ts';
import type { RequestingSession, SecurityNoticeChange, SecurityNoticeKind } from '../domain/securityPorts.ts';
import { computeUndoWindowStart } from '../domain/undoWindow.ts';
import {
  findActiveSecondFactor,
  endAccountRecoveryWait,
  disableSecondFactor,
  spendOneTimePassword,
  findAccountRecoveryWait,
  type ActiveSecondFactor,
} from './secondFactorState.ts';
import { isSessionProven, ownsSession, markSessionProven } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';
import { lockAccount, findAccountPhone } from './signInMethods.ts';

const beginMs = limits.secondFactorBeginSeconds * 1_000;
const resealedAtOnce = 500;

/** Context of a permitted change: the account is locked and the requesting session is proven. */
interface Allowed {
  trx: Knex;
  userId: UserId;
  now: Date;
  addFactorNotice(kind: SecurityNoticeKind, change: SecurityNoticeChange): Promise<void>;
}

/** Creates recovery codes and returns their batch ID. */
async function insertCodes(trx: Knex, factorId: string, codes: readonly string[]): Promise<string> {
  const batchId = newId();
  await trx('recovery_codes').insert(
    codes.map((code) => ({ factor_id: factorId, code_hash: hashRecoveryCode(factorId, code), batch_id: batchId })),
  );
  return batchId;
}

/** @param wake called after a commit that wrote to the outbox */
export function createSecondFactorStore(db: Knex, ring: KeyRing, wake: () => void): SecondFactorStore {
  /** Runs a change that requires fresh proof in its transaction, after locking the account (decision 38). */
  const allowed = async <T extends string>(
    requester: RequestingSession,
    now: Date,
    work: (allowed: Allowed) => Promise<T>,
  ): Promise<T | 'unproven'> => {
    const outcome = await inTransaction(db, async (trx) => {
      const { userId, sessionId } = requester;
      const account = await lockAccount(trx, userId);
      if (!account || !(await isSessionProven(trx, requester, now))) return 'unproven' as const;
      return work({
        trx,
        userId,
        now,
        async addFactorNotice(kind, change) {
          await trx('users').where({ id: userId }).update({ updated_at: now });
          await addSecurityNotice(trx, { userId, sessionId, kind, change, email: account.email, now });
        },
      });
    });
    wake();
    return outcome;
  };

  const withFactor = (
    requester: RequestingSession,
    now: Date,
    work: (allowed: Allowed, factor: ActiveSecondFactor) => Promise<void>,
  ) =>
    allowed(requester, now, async (may): Promise<'done' | 'off'> => {
      const factor = await findActiveSecondFactor(may.trx, may.userId);
      if (!factor) return 'off';
      await work(may, factor);
      return 'done';
    });

  return {
    async state(userId, now) {
      const [factor, wait] = await Promise.all([
        findActiveSecondFactor(db, userId),
        findAccountRecoveryWait(db, userId, now),
      ]);
      const left = factor
        ? await db('recovery_codes').where({ factor_id: factor.id }).whereNull('used_at').count('* as count').first()
        : undefined;
      return {
        addedAt: factor?.confirmedAt,
        registrationLock: factor?.registrationLock ?? false,
        recoveryCodesLeft: Number(left?.['count'] ?? 0),
        wait,
      };
    },

    begin: (requester, secret, now) =>
      allowed(requester, now, async ({ trx, userId }) => {
        if (await findActiveSecondFactor(trx, userId)) return 'on';
        if (!(await findAccountPhone(trx, userId))) return 'no_phone';
        const id = newId();
        await trx('second_factors').where({ user_id: userId }).whereNull('confirmed_at').delete();
        await trx('second_factors').insert({
          id,
          user_id: userId,
          sealed_secret: await ring.seal(secret, id),
          begun_at: now,
        });
        return 'begun';
      }),

    confirm: (requester, code, codes, now) =>
      allowed(requester, now, async ({ trx, userId, addFactorNotice }) => {
        if (await findActiveSecondFactor(trx, userId)) return 'on';
        const begun: { id: string; sealedSecret: Buffer } | undefined = await trx('second_factors')
          .where({ user_id: userId })
          .whereNull('confirmed_at')
          .where('begun_at', '>', new Date(now.getTime() - beginMs))
          .first('id', 'sealed_secret as sealedSecret');
        if (!begun) return 'expired';
        const { id } = begun;
        const step = findTotpStep(await ring.open(begun.sealedSecret, id), code, now);
        if (step === undefined) return 'wrong';
        await trx('second_factors').where({ id }).update({ confirmed_at: now, last_step: step });
        await insertCodes(trx, id, codes);
        await addFactorNotice('factor_added', { factorId: id });
        return 'confirmed';
      }),

    remove: (requester, now) =>
      withFactor(requester, now, async ({ trx, userId, addFactorNotice }, { id }) => {
        await disableSecondFactor(trx, id, now);
        await endAccountRecoveryWait(trx, userId, now);
        await addFactorNotice('factor_removed', { factorId: id });
      }),

    renewCodes: (requester, codes, now) =>
      withFactor(requester, now, async ({ trx, addFactorNotice }, { id }) => {
        await trx('recovery_codes').where({ factor_id: id }).delete();
        await addFactorNotice('recovery_renewed', { factorId: id, batchId: await insertCodes(trx, id, codes) });
      }),

    setLock: (requester, on, now) =>
      withFactor(requester, now, async ({ trx, userId, addFactorNotice }, { id, registrationLock }) => {
        if (registrationLock === on) return;
        await trx('second_factors').where({ id }).update({ registration_lock: on });
        // The wait has no purpose when the lock is off.
        if (!on) await endAccountRecoveryWait(trx, userId, now);
        await addFactorNotice(on ? 'lock_on' : 'lock_off', { factorId: id });
      }),

    prove: (requester, code, now) =>
      inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, requester.userId);
        if (!account || !(await ownsSession(trx, requester, now))) return 'session_missing';
        const factor = await findActiveSecondFactor(trx, requester.userId);
        if (!factor) return 'off';
        if (!(await spendOneTimePassword(trx, ring, factor, code, now))) return 'wrong';
        return (await markSessionProven(trx, requester.sessionId, 'authenticator', now)) ? 'proven' : 'session_missing';
      }),

    ...createUpkeep(db, ring),
  };
}

/** Maintenance that runs every few minutes. */
function createUpkeep(db: Knex, ring: KeyRing): Pick<SecondFactorStore, 'reseal' | 'sweep'> {
  let done = false;
  let after: string | undefined;

  const resealPage = async (): Promise<number> => {
    const page = db('second_factors').orderBy('id').limit(resealedAtOnce);
    if (after !== undefined) void page.where('id', '>', after);
    const rows: { id: string; sealed: Buffer }[] = await page.select('id', 'sealed_secret as sealed');
    const old = rows.filter(({ sealed }) => ring.isOld(sealed));
    for (const { id, sealed } of old) {
      // The secret never changes, so it does not matter if another replica re-encrypted it meanwhile.
      const sealed_secret = await ring.seal(await ring.open(sealed, id), id);
      await db('second_factors').where({ id }).update({ sealed_secret });
    }
    after = rows.at(-1)?.id;
    // New secrets are encrypted with the first key, so nothing older remains.
    done = rows.length < resealedAtOnce;
    return old.length;
  };

  return {
    async reseal() {
      let count = 0;
      while (!done) count += await resealPage();
      return count;
    },

    async sweep(now) {
      await deleteInSteps(db, 'factor_tickets', (old) => old.where('expires_at', '<=', now));
      await deleteInSteps(db, 'account_waits', (old) => old.where('ends_at', '<=', now));
      await deleteInSteps(db, 'second_factors', (old) => old.where('removed_at', '<=', computeUndoWindowStart(now)));
      await deleteInSteps(db, 'second_factors', (old) =>
        old.whereNull('confirmed_at').where('begun_at', '<=', new Date(now.getTime() - beginMs)),
      );
    },
  };
}
