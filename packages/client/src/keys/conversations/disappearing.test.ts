import type { Message } from '@nolo/api';
import { anns, bens, chat, setUpGroup, world } from '../../../tests/keys/groupOfThree.ts';

/** Disappearing rows: the headers' timers decide, not the times of the server (docs/encryption.md, section 4). */

setUpGroup();

const iso = (at: number): string => new Date(at).toISOString();
const hourMs = 3_600_000;

/** Returns a row as the server serves it once its text is gone. */
const tombstoneOf = ({ id }: Message, fields: Partial<Message> = {}): Message => ({
  ...structuredClone(chat.served.messages.find((one) => one.id === id)!),
  sealed: '',
  deletedAt: iso(world.server.now()),
  ...fields,
});

const openOne = async (row: Message) => (await chat.open(bens, [row]))[0];

async function sendUnderTimer(): Promise<Message> {
  await chat.send(anns, 'Stays');
  await chat.change(anns, { kind: 'timer', seconds: hourMs / 1_000 });
  return chat.send(anns, 'Goes');
}

test('a message without a timer never disappears, whatever time the server gives', async () => {
  const row = await chat.send(anns, 'Stays');
  const past = iso(world.server.now() - hourMs);
  expect(await openOne({ ...row, expiresAt: past })).toMatchObject({ content: 'Stays', expiresAt: null });
  expect(await openOne(tombstoneOf(row, { expiresAt: past }))).toMatchObject({ state: 'removed' });
});

test('a message disappears by the timer of its header', async () => {
  const row = await sendUnderTimer();
  const sentAt = world.server.now();
  const expiryOf = async (fields: Partial<Message>) => {
    const opened = await openOne({ ...row, ...fields });
    return opened?.state === 'open' ? opened.expiresAt! - sentAt : opened?.state;
  };
  const near = (ms: number) => [ms - 1_000, ms + 1_000] as const;
  for (const [expiry, [from, to]] of [
    [await expiryOf({ expiresAt: null }), near(hourMs)],
    [await expiryOf({ expiresAt: iso(sentAt - 1) }), near(hourMs)],
    [await expiryOf({ createdAt: iso(sentAt + 30 * hourMs) }), near(hourMs)],
    [await expiryOf({ createdAt: 'never' }), near(hourMs)],
    // A message cannot be older than its header, except for the difference of the clocks.
    [await expiryOf({ createdAt: iso(0) }), near(hourMs - 300_000)],
  ] as const) {
    expect(expiry).toBeGreaterThanOrEqual(from);
    expect(expiry).toBeLessThanOrEqual(to);
  }
});

test('the server cannot call a message expired before its time', async () => {
  const row = await sendUnderTimer();
  const early = () => tombstoneOf(row, { expiresAt: iso(world.server.now() - 1) });
  expect(await openOne(early())).toMatchObject({ state: 'removed' });
  expect(await openOne({ ...early(), createdAt: iso(0) })).toMatchObject({ state: 'removed' });
  await world.pass(hourMs + 1_000);
  expect(await openOne(early())).toMatchObject({ state: 'expired' });
});

test('a line of the server stays, so none hides a message', async () => {
  const row = await sendUnderTimer();
  const { seal: _, ...line } = { ...row, sealed: null, messageType: 'system' as const, expiresAt: iso(0) };
  expect(await openOne(line)).toMatchObject({ state: 'plain', expiresAt: null });
  expect(await openOne({ ...line, deletedAt: iso(1) })).toMatchObject({ state: 'removed' });
  await world.pass(hourMs + 1_000);
  expect(await openOne({ ...line, deletedAt: iso(1) })).toMatchObject({ state: 'expired' });
});
