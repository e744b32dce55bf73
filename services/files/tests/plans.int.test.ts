import { randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import { storageBytes } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { startFiles } from './startFiles.ts';

/** Tests quotas from billing (decision 27). */

let files: Awaited<ReturnType<typeof startFiles>>;
const gigabytes = (count: number) => count * 2 ** 30;

beforeAll(async () => {
  files = await startFiles({}, { plans: true });
});
afterAll(() => files.stop());
beforeEach(() => files.billing.setAway(false));

const begin = (actorId: string, size: number) =>
  files.shared.beginUpload({ actorId, name: 'a.bin', size, multipart: true });
const limitOf = async (actorId: string) => (await files.shared.getUsage({ actorId })).limit;

async function* whole(actorId: string, bytes: Buffer) {
  const header = { actorId, name: 'a.bin', contentType: '', kind: '', size: bytes.length, multipart: false };
  yield { part: { $case: 'header' as const, value: header } };
  yield { part: { $case: 'chunk' as const, value: bytes } };
}

/** Simulates that a person stores this many bytes. */
async function keep(actorId: string, bytes: number): Promise<string> {
  const { id } = await files.shared.storeFile(whole(actorId, randomBytes(10)));
  await files.db('shared_files').where({ id }).update({ stored_bytes: bytes });
  return id;
}

test("someone at the plan's limit learns what raises it, and an upgrade or add-on raises it at once", async () => {
  const actorId = newId();
  await keep(actorId, storageBytes.free - 10);
  await expect(begin(actorId, 11)).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'storage_full_plan',
    details: {
      feature: 'storageBytes',
      limit: storageBytes.free,
      used: storageBytes.free - 10,
      liftedBy: ['plus', 'business'],
      addOn: 'storage',
    },
  });
  await files.billing.sell(actorId, 'free', { storage: 1 });
  await eventually(async () => (await limitOf(actorId)) === storageBytes.free + gigabytes(20));
  await begin(actorId, 11);
  await files.billing.sell(actorId, 'plus', { storage: 1 });
  await eventually(async () => (await limitOf(actorId)) === storageBytes.plus + gigabytes(20));
});

test('a downgrade deletes no file, but accepts no new one until there is room', async () => {
  const actorId = newId();
  await files.billing.sell(actorId, 'business');
  await eventually(async () => (await limitOf(actorId)) === storageBytes.business);
  const id = await keep(actorId, gigabytes(40));
  await files.billing.sell(actorId, 'free');
  await eventually(async () => (await limitOf(actorId)) === storageBytes.free);
  await expect(begin(actorId, 1)).rejects.toMatchObject({ code: 'storage_full_plan' });
  await expect(files.shared.getFile({ actorId, fileId: id })).resolves.toMatchObject({ id });
  await expect(files.shared.getUsage({ actorId })).resolves.toMatchObject({ used: gigabytes(40) });
});

test('the last known plan applies for a day while billing is down', async () => {
  const [known, unknown] = [newId(), newId()];
  await files.billing.sell(known, 'plus');
  await eventually(async () => (await limitOf(known)) === storageBytes.plus);
  files.billing.setAway(true);
  files.clock.advance(3_600_000);
  expect(await limitOf(known)).toBe(storageBytes.plus);
  expect(await limitOf(unknown)).toBe(storageBytes.free);
  // A process started meanwhile uses what the previous one cached.
  await files.restart();
  expect(await limitOf(known)).toBe(storageBytes.plus);
  files.clock.advance(24 * 3_600_000);
  expect(await limitOf(known)).toBe(storageBytes.free);
});

test('storage use is reported to billing', async () => {
  const actorId = newId();
  await files.shared.storeFile(whole(actorId, randomBytes(1_000)));
  await eventually(() => files.billing.level(actorId, 'storageBytes') === 1_000);
});

test('storage is unlimited without billing', async () => {
  const alone = await startFiles();
  try {
    expect((await alone.shared.getUsage({ actorId: newId() })).limit).toBeUndefined();
  } finally {
    await alone.stop();
  }
});
