import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { OperatorStore } from '../domain/ports.ts';
import { commandLine } from '../domain/commandLine.ts';
import { createAuditStore } from './auditStore.ts';

interface OperatorRow {
  user_id: UserId;
  since: Date;
}

/** @param named those of the configuration, who are operators whatever the table says */
export function createOperatorStore(db: Knex, named: readonly UserId[] = []): OperatorStore {
  const always = new Set(named);
  /** Written down with what it is about, or not done. */
  const change = (userId: UserId, action: string, now: Date, deed: (trx: Knex) => Promise<number>): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      if ((await deed(trx)) === 0) return false;
      const written = { operatorId: commandLine, action, subject: userId, details: {}, isAllowed: true, at: now };
      await createAuditStore(trx).write(written);
      return true;
    });

  return {
    async has(userId) {
      if (always.has(userId)) return true;
      return (await db<OperatorRow>('operators').where({ user_id: userId }).first('user_id')) !== undefined;
    },

    list: async () => (await db<OperatorRow>('operators').orderBy(['since', 'user_id'])).map((row) => row.user_id),

    grant: (userId, now) =>
      change(userId, 'GrantOperator', now, async (trx) => {
        const rows = await trx('operators')
          .insert({ user_id: userId, since: now })
          .onConflict('user_id')
          .ignore()
          .returning('user_id');
        return rows.length;
      }),

    revoke: (userId, now) =>
      change(userId, 'RevokeOperator', now, (trx) => trx('operators').where({ user_id: userId }).delete()),

    async forget(userId) {
      await db('operators').where({ user_id: userId }).delete();
    },
  };
}
