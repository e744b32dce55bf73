import { randomBytes } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { createKeyRing } from '@nolo/kit/keyRing';
import { createTestEnvironment, openDatabase } from '@nolo/testing';
import { toSecretBinding, createWebhookStore } from '../src/store/webhookStore.ts';

let environment: Awaited<ReturnType<typeof createTestEnvironment<'notifications'>>>;
let db: Knex;
beforeAll(async () => {
  environment = await createTestEnvironment(['notifications']);
  db = openDatabase(environment.urls.notifications, 'notifications');
});
afterAll(async () => {
  await db.destroy();
  await environment.drop();
});

test('all secrets are resealed with the first key, page by page, once, and the old key is obsolete', async () => {
  const old = { name: 'old', key: randomBytes(32) };
  const first = { name: 'first', key: randomBytes(32) };
  const storeOf = (...keys: (typeof old)[]) =>
    createWebhookStore(db, createKeyRing(keys), {
      addAll: () => Promise.resolve(),
    } as never);
  const userId = newId<UserId>();
  const ids = Array.from({ length: 5 }, () => newId());
  const before = storeOf(old);
  for (const id of ids) {
    const webhook = {
      id,
      userId,
      url: 'https://example.com/',
      description: '',
      events: ['meeting.started'],
      secret: id,
      plan: 'free',
    };
    await before.add(webhook as never, new Date());
  }
  const [rotated = ''] = ids;
  await before.rotate(userId, rotated as never, 'a new one', new Date(Date.now() + 3_600_000));

  const after = storeOf(first, old);
  expect([await after.reseal(2), await after.reseal(2)]).toEqual([5, 0]);
  const ring = createKeyRing([first]);
  const rows = (await db('webhooks').orderBy('id')) as {
    id: string;
    sealed_secret: Buffer;
    sealed_old_secret: Buffer | null;
  }[];
  const opened = await Promise.all(rows.map(({ id, sealed_secret: sealed }) => ring.open(sealed, toSecretBinding(id))));
  expect(opened).toEqual(ids.toSorted().map((id) => (id === rotated ? 'a new one' : id)));
  const kept = rows.find(({ id }) => id === rotated)?.sealed_old_secret;
  expect(kept && (await ring.open(kept, toSecretBinding(rotated)))).toBe(rotated);
});
