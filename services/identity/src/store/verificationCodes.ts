import { deleteInSteps, inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type {
  VerificationCodeAttempt,
  NewVerificationCode,
  VerifiedCode,
  CodeSendLimit,
  VerificationCodeStore,
} from '../domain/ports.ts';

const dayMs = 86_400_000;
/** Time that a browser stays known after it last signed in with a number. */
const knownMs = 90 * dayMs;

/** Returns the earlier sends that a limit counts. */
function counted(trx: Knex, { numberHash, asker }: NewVerificationCode, per: CodeSendLimit['per']) {
  const sends = trx('verification_sends').where({ number_hash: numberHash });
  if (per === 'known asker') return sends.where({ asker_hash: asker.hash, known: true });
  if (per === 'network') return sends.where({ network_hash: asker.networkHash, known: false });
  return sends.where({ known: false });
}

/** Returns the milliseconds until the limits allow another send. 0: now. */
async function waitFor(trx: Knex, code: NewVerificationCode, limits: readonly CodeSendLimit[]): Promise<number> {
  const now = code.now.getTime();
  let retryAfterMs = 0;
  for (const { points, durationSeconds, per } of limits) {
    const since = new Date(now - durationSeconds * 1000);
    // Finds the oldest send that must leave the window before another fits in.
    const blocking: { sent_at: Date } | undefined = await counted(trx, code, per)
      .where('sent_at', '>', since)
      .orderBy('sent_at', 'desc')
      .offset(points - 1)
      .first('sent_at');
    if (blocking) retryAfterMs = Math.max(retryAfterMs, blocking.sent_at.getTime() + durationSeconds * 1000 - now, 1);
  }
  return retryAfterMs;
}

export function createVerificationCodeStore(db: Knex): VerificationCodeStore {
  return {
    async isKnown(numberHash, asker) {
      const found = await db('known_askers')
        .where({ number_hash: numberHash, asker_hash: asker.hash })
        .first('number_hash');
      return found !== undefined;
    },

    open: (code, limits) =>
      inTransaction(db, async (trx) => {
        // The lock makes simultaneous sends count each other. The key is 64 bits of a keyed hash, so unrelated numbers
        // do not wait for each other.
        await trx.raw('select pg_advisory_xact_lock(?::bigint)', [code.numberHash.readBigInt64BE(0).toString()]);
        const retryAfterMs = await waitFor(trx, code, limits);
        if (retryAfterMs > 0) return { opened: false as const, retryAfterMs };
        const { numberHash, asker } = code;
        const of = { number_hash: numberHash, asker_hash: asker.hash, network_hash: asker.networkHash };
        await trx('verification_sends').insert({ ...of, id: newId(), sent_at: code.now, known: code.known });
        await trx('asked_codes')
          .insert({
            ...of,
            id: code.id,
            code_hash: code.codeHash,
            tries: 0,
            created_at: code.now,
            expires_at: code.expiresAt,
            used_at: null,
          })
          .onConflict(['number_hash', 'asker_hash'])
          .merge();
        return { opened: true as const };
      }),

    async countTry(numberHash, asker, maxTries, now): Promise<VerificationCodeAttempt> {
      const live = () =>
        db('asked_codes').where({ number_hash: numberHash }).whereNull('used_at').where('expires_at', '>', now);
      // A requester without a device cookie is identified by the network alone and means the latest code.
      const own = asker.hasDeviceCookie
        ? live().where({ asker_hash: asker.hash })
        : live().where({ network_hash: asker.networkHash }).orderBy('created_at', 'desc');
      // A single statement in its own transaction: the row lock shows each attempt the earlier ones, and the count
      // stays regardless of the sign-in's outcome.
      const [row]: { id: string; code_hash: Buffer; tries: number }[] = await live()
        .whereIn('id', own.clone().limit(1).select('id'))
        .where('tries', '<', maxTries)
        .update({ tries: db.raw('tries + 1') }, ['id', 'code_hash', 'tries']);
      if (row) return { outcome: 'counted', codeId: row.id, codeHash: row.code_hash, triesUsed: row.tries };
      return { outcome: (await own.clone().first('id')) ? 'exhausted' : 'none' };
    },

    async forget(numberHash) {
      await db('asked_codes').where({ number_hash: numberHash }).delete();
      await db('known_askers').where({ number_hash: numberHash }).delete();
    },

    async sweep(now) {
      await deleteInSteps(db, 'asked_codes', (old) => old.where('expires_at', '<=', now));
      // The longest limit covers one day.
      await deleteInSteps(db, 'verification_sends', (old) =>
        old.where('sent_at', '<=', new Date(now.getTime() - dayMs)),
      );
      await deleteInSteps(db, 'known_askers', (old) =>
        old.where('last_used_at', '<=', new Date(now.getTime() - knownMs)),
      );
    },
  };
}

/**
 * Uses up a compared code in the transaction that acts on it. Returns its requester, or undefined if a concurrent
 * request used it.
 */
export async function consumeCode(
  trx: Knex,
  code: VerifiedCode,
  now: Date,
): Promise<{ askerHash: Buffer } | undefined> {
  const [used]: { asker_hash: Buffer }[] = await trx('asked_codes')
    .where({ number_hash: code.numberHash, id: code.codeId })
    .whereNull('used_at')
    .update({ used_at: now }, ['asker_hash']);
  return used && { askerHash: used.asker_hash };
}

/** Marks the browser as one that has signed in with the number. */
export async function rememberCodeRequester(
  trx: Knex,
  numberHash: Buffer,
  askerHash: Buffer,
  now: Date,
): Promise<void> {
  await trx('known_askers')
    .insert({ number_hash: numberHash, asker_hash: askerHash, last_used_at: now })
    .onConflict(['number_hash', 'asker_hash'])
    .merge();
}

/** Uses up a compared code and marks its browser as known. Returns false if a concurrent request used it. */
export async function consumeCodeAndRemember(trx: Knex, code: VerifiedCode, now: Date): Promise<boolean> {
  const taken = await consumeCode(trx, code, now);
  if (taken) await rememberCodeRequester(trx, code.numberHash, taken.askerHash, now);
  return taken !== undefined;
}
