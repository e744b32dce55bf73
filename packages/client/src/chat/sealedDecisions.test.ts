import { eventually } from '@nolo/testing';
import { fakeSealedServer } from '../../tests/fakeSealedServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createReversingConversations } from '../../tests/reversingConversations.ts';
import { ApiError } from '../http/request.ts';
import type { GroupChange } from '../keys/conversations/types.ts';
import { createChatEngine, type ChatEngine } from './chatEngine.ts';
import { setUpSealedChat } from '../../tests/sealedChat.ts';
import { answerQuestion, changeByRoute, signLeave } from './sealedDecisions.ts';

/** Opens a sealed conversation, c1. */
async function openSealed() {
  const server = fakeSealedServer({ epoch: 0 });
  const sealing = createReversingConversations({ epoch: 0 });
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: fakeTimers().timers,
    newId: () => 'client-1',
    failureOf: (error) => error as never,
    onOtherFrame: () => {},
    onRefused: () => {},
    conversations: sealing.port,
  });
  engine.start();
  server.hello();
  await settlePromises();
  await engine.open('c1');
  return { sealing, engine };
}

/** Calls a route that answers with these refusals first, and returns the epochs that went along. */
async function changeAgainst(engine: ChatEngine, changes: readonly GroupChange[], refusals: (string | null)[]) {
  const sent: boolean[] = [];
  const outcome = await changeByRoute(engine, 'c1', changes, async ({ epoch }) => {
    const code = refusals[sent.length] ?? null;
    sent.push(epoch !== undefined);
    if (code !== null) throw new ApiError(409, { code }, code);
    return 'done';
  }).catch((error: unknown) => (error as { code: string }).code);
  return { outcome, sent };
}

const removal = { kind: 'remove', userId: 'ann' } as const;
const addition = { kind: 'add', userId: 'ann' } as const;

test('a change is signed again, three times at most, if another device was faster', async () => {
  const { engine } = await openSealed();
  expect(await changeAgainst(engine, [addition], [])).toEqual({ outcome: 'done', sent: [true] });
  expect(await changeAgainst(engine, [addition], ['epoch_stale', 'epoch_refused'])).toEqual({
    outcome: 'done',
    sent: [true, true, true],
  });
  const always = ['epoch_stale', 'epoch_stale', 'epoch_stale', 'epoch_stale'];
  expect(await changeAgainst(engine, [addition], always)).toEqual({ outcome: 'epoch_stale', sent: [true, true, true] });
  expect(await changeAgainst(engine, [addition], ['not_admin'])).toEqual({ outcome: 'not_admin', sent: [true] });
  engine.stop();
});

test('a removal waits for no epoch', async () => {
  const { sealing, engine } = await openSealed();
  const always = ['epoch_refused', 'epoch_refused', 'epoch_refused'];
  expect(await changeAgainst(engine, [removal], always)).toEqual({ outcome: 'done', sent: [true, true, true, false] });
  sealing.setSend({ state: 'blocked', reason: 'keys' });
  expect(await changeAgainst(engine, [removal], [])).toEqual({ outcome: 'done', sent: [false] });
  engine.stop();
});

test('a change that only an epoch can make says why there is none', async () => {
  const { sealing, engine } = await openSealed();
  sealing.setSend({ state: 'waiting_for_key' });
  expect(await changeAgainst(engine, [addition], ['encryption_required'])).toEqual({
    outcome: 'waiting_for_key',
    sent: [false],
  });
  sealing.fail(Object.assign(new Error('No keys here.'), { code: 'not_ready' }));
  expect(await changeAgainst(engine, [addition], ['encryption_required'])).toEqual({
    outcome: 'blocked',
    sent: [false],
  });
  expect(await signLeave(engine, 'c1')).toBe('leave');
  engine.stop();
});

/** Writes two messages that a question about people who joined by the code holds, and says yes. */
async function sayYesTo(userIds: readonly string[]) {
  const { clock, sealing, create, start } = setUpSealedChat();
  const engine = await start(create());
  const pending = () => engine.store.getState().timelines['c1']?.pending ?? [];
  sealing.setSend({ state: 'question', questions: [{ id: 'joined', kind: 'joined', userIds }] });
  engine.send('c1', 'first');
  engine.send('c1', 'second');
  await eventually(() => pending().length === 2 && pending().every(({ heldBy }) => heldBy?.state === 'question'));
  await clock.advance(1_000);
  sealing.changeMembersAt(clock.timers.now());
  await answerQuestion(engine, 'c1', 'joined', true);
  return { engine, pending };
}

test('a yes about people who joined by the code sends what waited for it', async () => {
  const { engine, pending } = await sayYesTo(['you']);
  const texts = () => engine.store.getState().timelines['c1']?.messages.map(({ content }) => content);
  await eventually(() => texts()?.join() === 'first,second' && pending().length === 0);
  engine.stop();
});

test('a yes about others leaves what was written before somebody else joined', async () => {
  const { engine, pending } = await sayYesTo(['ann']);
  await eventually(() => pending().length === 2 && pending().every(({ heldBy }) => heldBy?.state === 'written_before'));
  engine.stop();
});
