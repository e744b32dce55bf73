import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { messagesOf, setUpSealedChat, statesOf } from '../../tests/sealedChat.ts';

async function openWith(...texts: string[]) {
  const chat = setUpSealedChat();
  for (const text of texts) chat.server.storeSealed('you', text);
  const engine = await chat.start(chat.create());
  await eventually(() => messagesOf(engine).length === texts.length && !statesOf(engine).includes('closed'));
  const gaps = () => engine.store.getState().gaps['c1'] ?? [];
  return { ...chat, engine, gaps };
}

test('a missing row is shown before the row that names it, and no longer once it arrives', async () => {
  const { server, sealing, engine, gaps } = await openWith('one', 'three');
  await eventually(() => sealing.calls.includes('gaps'));
  expect(gaps()).toEqual([]);
  sealing.gaps.push({ seq: 3, rows: ['hash-of-two'] });
  server.push({ type: 'new_message', data: server.storeSealed('you', 'four') });
  await eventually(() => gaps().join() === '3');
  sealing.gaps.length = 0;
  server.push({ type: 'new_message', data: server.storeSealed('you', 'two') });
  await eventually(() => gaps().length === 0);
  engine.stop();
});

test('no row is looked for before the conversation caught up and its rows are open', async () => {
  const { server, sealing, engine } = await openWith('one');
  await eventually(() => sealing.calls.includes('gaps'));
  sealing.calls.length = 0;
  server.push({ type: 'new_message', data: server.storeSealed('you', 'two') });
  await eventually(() => sealing.calls.includes('gaps'));
  expect(sealing.calls.indexOf('open')).toBeLessThan(sealing.calls.indexOf('gaps'));
  expect(sealing.caughtUp).toEqual({ from: 1, followedFrom: 1, seesDeletions: true });
  server.cut();
  sealing.calls.length = 0;
  await settlePromises();
  expect(sealing.calls).not.toContain('gaps');
  engine.stop();
});

test('a deletion of a message that is not in memory is opened before the rows that name it are judged', async () => {
  const chat = setUpSealedChat();
  const { server, sealing } = chat;
  for (let count = 1; count <= 130; count++) server.storeSealed('you', `text ${count}`);
  const engine = await chat.start(chat.create());
  await eventually(() => messagesOf(engine).length === 100 && !statesOf(engine).includes('closed'));
  await eventually(() => sealing.calls.includes('gaps'));
  expect(sealing.caughtUp).toEqual({ from: 31, followedFrom: 130, seesDeletions: true });
  const before = sealing.pages.length;
  const { seal } = server.messages[0]!;
  const erased = server.change('m1', { sealed: '', seal: { ...seal!, deletion: 'delete' }, deletedAt: '2026-12-01' });
  server.push({ type: 'message_updated', data: erased });
  await eventually(() => sealing.pages.length > before);
  expect(sealing.pages.at(-1)).toBe(1);
  expect(messagesOf(engine)).toHaveLength(100);
  engine.stop();
});
