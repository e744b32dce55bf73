import { randomBytes } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import { Secret } from '@nolo/kit/config';
import { createKeyRing } from '@nolo/kit/keyRing';
import { newId, type UserId } from '@nolo/kit/ids';
import { createTestEnvironment, openDatabase } from '@nolo/testing';
import { createConnectionStore } from '../src/store/connectionStore.ts';

test('platforms that renew tokens slowly leave database connections for everything else', async () => {
  const environment = await createTestEnvironment(['social-scheduler']);
  // Default pool size of a process.
  const db = openDatabase(environment.urls['social-scheduler'], 'social_scheduler', 4);
  try {
    const store = createConnectionStore(db, createKeyRing([{ name: 'first', key: randomBytes(32) }]), systemClock);
    const userId = newId<UserId>();
    const tokensOf = (access: string) => ({ access: new Secret(access), refresh: undefined, expiresAt: undefined });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const grants = names.map((name) => ({ account: { id: name, name }, tokens: tokensOf(name) }));
    await store.put(userId, 'twitter', grants as never);
    const ids: string[] = await db('connections').pluck('id');
    const before = await Promise.all(ids.map((id) => store.get(id)));
    const answer = Promise.withResolvers<void>();
    const renewedAccounts: string[] = [];
    const begun = Promise.withResolvers<void>();
    const renewals = before.flatMap((one) => {
      if (!one) return [];
      const renew = () =>
        store.renew(one, async ({ account, tokens }) => {
          renewedAccounts.push(account.id);
          if (renewedAccounts.length === 2) begun.resolve();
          await answer.promise;
          return tokensOf(`${tokens.access.reveal()} anew`);
        });
      // Simulates a second post to the same account.
      return [renew(), renew()];
    });
    await begun.promise;
    const others = await Promise.all([db.raw('select 1'), db.raw('select 1')]);
    expect([others.length, renewedAccounts.length]).toEqual([2, 2]);
    answer.resolve();
    const renewed = (await Promise.all(renewals)).map((one) => one?.tokens.access.reveal());
    expect(renewed).toHaveLength(2 * names.length);
    expect(new Set(renewed)).toEqual(new Set(names.map((name) => `${name} anew`)));
    // Each is requested once.
    expect(renewedAccounts.sort()).toEqual(names);
  } finally {
    await db.destroy();
    await environment.drop();
  }
});
