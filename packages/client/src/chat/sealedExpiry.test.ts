import type { Message } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { messagesOf, setUpSealedChat, statesOf } from '../../tests/sealedChat.ts';
import { joinMessageListEntries } from './entries.ts';
import { hasDisappeared } from './expiry.ts';
import { openingOf } from './rowOpening.ts';

const iso = (at: number): string => new Date(at).toISOString();

function setUp() {
  const chat = setUpSealedChat();
  const engine = chat.create();
  const shown = () => joinMessageListEntries(messagesOf(engine), [], 'me').map(({ message }) => message?.id);
  const settled = () => eventually(() => messagesOf(engine).length > 0 && !statesOf(engine).includes('closed'));
  return { ...chat, engine, shown, settled, start: () => chat.start(engine) };
}

test('a sealed message stays although the server says that its time is over', async () => {
  const { server, clock, engine, start, settled, shown } = setUp();
  server.storeSealed('you', 'one');
  server.change('m1', { expiresAt: iso(clock.timers.now() - 1_000) });
  await start();
  await settled();
  await clock.advance(5_000);
  expect(messagesOf(engine)).toMatchObject([{ content: 'one', expiresAt: null }]);
  expect(engine.store.getState().conversations['c1']?.lastMessage).toMatchObject({ content: 'one' });
  expect(shown()).toEqual(['m1']);
  engine.stop();
});

test('a sealed message goes at its own time although the server gives none', async () => {
  const { server, clock, sealing, engine, start, settled, shown } = setUp();
  server.storeSealed('you', 'one');
  sealing.expiries.set('m1', clock.timers.now() + 10_000);
  await start();
  await settled();
  expect(messagesOf(engine)).toMatchObject([{ content: 'one' }]);
  await clock.advance(11_000);
  expect(messagesOf(engine)).toMatchObject([{ content: '', opening: { state: 'expired' } }]);
  expect(shown()).toEqual([]);
  // The server's tombstone changes nothing, also while it could be opened.
  server.push({ type: 'message_updated', data: server.change('m1', { sealed: '', deletedAt: iso(0) }) });
  await eventually(() => messagesOf(engine)[0]?.changeSeq === server.messages[0]?.changeSeq);
  expect(shown()).toEqual([]);
  engine.stop();
});

test('a later opening never makes a message stay longer', async () => {
  const { server, clock, sealing, engine, start, settled } = setUp();
  server.storeSealed('you', 'one');
  const soon = clock.timers.now() + 60_000;
  sealing.expiries.set('m1', soon);
  await start();
  await settled();
  sealing.expiries.set('m1', soon + 60_000);
  server.push({ type: 'message_updated', data: server.change('m1', {}) });
  await eventually(() => messagesOf(engine)[0]?.changeSeq === server.messages[0]?.changeSeq);
  await settled();
  expect(messagesOf(engine)).toMatchObject([{ content: 'one', expiresAt: iso(soon) }]);
  engine.stop();
});

test('a tombstone that the device refuses is shown, also if the server calls it expired', async () => {
  const { server, sealing, engine, start, settled, shown } = setUp();
  for (const text of ['one', 'two']) server.storeSealed('you', text);
  const gone: Partial<Message> = { sealed: '', deletedAt: iso(2_000), expiresAt: iso(1_000) };
  server.change('m1', gone);
  server.change('m2', gone);
  sealing.refused.set('m1', 'malformed');
  await start();
  await settled();
  expect(messagesOf(engine).map((message) => openingOf(message)?.state)).toEqual(['refused', 'removed']);
  expect(shown()).toEqual(['m1', 'm2']);
  engine.stop();
});

test('the server decides about messages that were never sealed', () => {
  const times = { deletedAt: iso(2_000), expiresAt: iso(1_000) };
  const { server } = setUp();
  const row = { ...server.store('you', 'plain', null), ...times };
  expect(hasDisappeared(row)).toBe(true);
  expect(hasDisappeared({ ...row, opening: { state: 'plain' } })).toBe(true);
  expect(hasDisappeared({ ...row, opening: { state: 'earlier' } })).toBe(false);
});
