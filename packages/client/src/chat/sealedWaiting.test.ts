import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { setUp } from '../../tests/sealedTabs.ts';
import { answerQuestion } from './sealedDecisions.ts';

/** Messages that wait, until a sealed conversation can continue or their user decides. */

const waits = [
  { state: 'waiting_for_key' },
  { state: 'question', questions: [{ id: 'q1', kind: 'identity', userId: 'you' }] },
  { state: 'blocked', reason: 'fork', userId: 'you' },
] as const;
for (const state of waits) {
  test(`messages wait in order while the conversation is ${state.state}, and go when that is over`, async () => {
    const { server, clock, sealing, open, arrive, pending, sealedTexts } = setUp();
    const engine = await open();
    sealing.setSend(state);
    engine.send('c1', 'one');
    engine.send('c1', 'two');
    await eventually(() => pending(engine).every(({ heldBy }) => heldBy !== undefined));
    expect(pending(engine)).toMatchObject([
      { content: 'one', state: 'waiting', heldBy: state },
      { content: 'two', state: 'waiting', heldBy: state },
    ]);
    await clock.advance(60_000);
    expect(server.requests).not.toContain('sendMessage');
    if (state.state === 'question') await answerQuestion(engine, 'c1', 'q1', true);
    else {
      sealing.setSend({ state: 'sealed' });
      sealing.notify();
    }
    await arrive(engine, ['one', 'two']);
    expect(sealedTexts()).toEqual(['one', 'two']);
    expect(engine.store.getState().standings['c1']?.send).toEqual({ state: 'sealed' });
    engine.stop();
  });
}

test('a message goes although what it waited for was over before the port had said so', async () => {
  const { sealing, open, arrive } = setUp();
  const engine = await open();
  sealing.setSend({ state: 'waiting_for_key' });
  const { seal } = sealing.port;
  sealing.port.seal = async (draft) => {
    const result = await seal(draft);
    sealing.port.seal = seal;
    sealing.setSend({ state: 'sealed' });
    sealing.notify();
    return result;
  };
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  engine.stop();
});

test('on a device whose keys are gone a message waits, and is not sent plain', async () => {
  const { server, sealing, open, pending } = setUp();
  const engine = await open();
  sealing.fail(Object.assign(new Error('no keys'), { code: 'not_ready' }));
  engine.send('c1', 'one');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  expect(pending(engine)[0]?.heldBy).toEqual({ state: 'blocked', reason: 'keys' });
  expect(server.requests).not.toContain('sendMessage');
  engine.stop();
});

test('a message from before a change of people waits for a tap, over a restart too, with those behind it', async () => {
  const { server, clock, sealing, open, openTab, pending, arrive, sealedTexts } = setUp();
  const first = await open();
  sealing.setSend({ state: 'waiting_for_key' });
  first.send('c1', 'before');
  await eventually(() => pending(first)[0]?.heldBy !== undefined);
  await clock.advance(1_000);
  sealing.changeMembersAt(clock.timers.now());
  first.stop();
  sealing.setSend({ state: 'sealed' });
  const engine = openTab('kept');
  server.hello();
  await settlePromises();
  await engine.open('c1');
  engine.send('c1', 'after');
  const waits = { state: 'written_before', userIds: ['you'] };
  await eventually(() => pending(engine).length === 2 && pending(engine).every(({ heldBy }) => heldBy !== undefined));
  expect(pending(engine).map(({ heldBy }) => heldBy)).toEqual([waits, waits]);
  engine.retry('c1', pending(engine)[0]!.clientMessageId);
  await arrive(engine, ['before', 'after']);
  expect(sealedTexts()).toEqual(['before', 'after']);
  engine.stop();
});

test('a message that waits for a tap can be discarded', async () => {
  const { clock, sealing, open, pending, arrive } = setUp();
  const engine = await open();
  sealing.changeMembersAt(clock.timers.now() + 1);
  engine.send('c1', 'before');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  sealing.changeMembersAt(-Infinity);
  engine.discard('c1', pending(engine)[0]!.clientMessageId);
  engine.send('c1', 'after');
  await arrive(engine, ['after']);
  engine.stop();
});

test('only the sending tab seals, and a question answered in another tab sends what waits', async () => {
  const { server, sealing, open, openTab, arrive, pending } = setUp();
  const first = await open();
  let sealedInSecond = 0;
  const second = openTab(undefined, {
    ...sealing.port,
    subscribe: () => () => undefined,
    seal: (draft) => {
      sealedInSecond += 1;
      return sealing.port.seal(draft);
    },
  });
  await second.open('c1');
  sealing.setSend(waits[1]);
  second.send('c1', 'one');
  await eventually(() => pending(second)[0]?.heldBy !== undefined);
  await answerQuestion(second, 'c1', 'q1', true);
  await arrive(first, ['one']);
  await arrive(second, ['one']);
  expect(sealedInSecond).toBe(0);
  expect(server.bodies).toHaveLength(1);
  first.stop();
  second.stop();
});
