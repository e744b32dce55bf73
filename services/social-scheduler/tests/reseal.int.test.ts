import { randomBytes } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import { Secret } from '@nolo/kit/config';
import type { Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createTestEnvironment, openDatabase } from '@nolo/testing';
import { createConnectionStore } from '../src/store/connectionStore.ts';

let environment: Awaited<ReturnType<typeof createTestEnvironment<'social-scheduler'>>>;
let db: Knex;
beforeAll(async () => {
  environment = await createTestEnvironment(['social-scheduler']);
  db = openDatabase(environment.urls['social-scheduler'], 'social_scheduler');
});
afterAll(async () => {
  await db.destroy();
  await environment.drop();
});

test('resealing moves all tokens to the first key page by page, once, and makes the old key unnecessary', async () => {
  const old = { name: 'old', key: randomBytes(32) };
  const first = { name: 'first', key: randomBytes(32) };
  const storeOf = (...keys: (typeof old)[]) => createConnectionStore(db, createKeyRing(keys), systemClock);
  const userId = newId<UserId>();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const grants = names.map((name) => ({
    account: { id: name, name },
    tokens: { access: new Secret(name), refresh: undefined, expiresAt: undefined },
  }));
  await storeOf(old).put(userId, 'twitter', grants as never);

  const after = storeOf(first, old);
  expect([await after.reseal(2), await after.reseal(2)]).toEqual([5, 0]);
  const ids: string[] = await db('connections').pluck('id');
  const connections = await Promise.all(ids.map((id) => storeOf(first).get(id)));
  const tokens = new Map(connections.map((one) => [one?.account.id, one?.tokens.access.reveal()]));
  expect(tokens).toEqual(new Map(names.map((name) => [name, name])));
});
