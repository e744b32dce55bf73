import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { setUp } from '../../tests/sealedTabs.ts';
import { openingOf } from './rowOpening.ts';

/** Choice between sealed and plain messages, also if the server lies about the conversation. */

test('a plain message that the server refuses as plain is sealed', async () => {
  const { server, sealing, open, arrive } = setUp({ epoch: null });
  const engine = await open();
  server.setNewest(0, 1);
  sealing.setSend({ state: 'sealed' });
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(server.requests.filter((name) => name === 'sendMessage')).toHaveLength(2);
  expect(server.bodies).toHaveLength(1);
  expect(server.bodies[0]).toMatchObject({ encryption: 'epochs' });
  engine.stop();
});

test('no plain text goes after a restart to a conversation that was seen sealed, if the server denies that', async () => {
  const { server, sealing, open, pending, messages } = setUp({ epoch: null });
  sealing.seen.add('c1');
  sealing.sealFrom(1);
  server.store('you', 'I am you', null);
  const engine = await open();
  sealing.setSend({ state: 'blocked', reason: 'old' });
  engine.send('c1', 'secret');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  expect(server.bodies).toEqual([]);
  expect(messages(engine).map((one) => openingOf(one)?.state)).toEqual(['refused']);
  engine.stop();
});

test('a conversation without an epoch stays plain', async () => {
  const { server, sealing, open, arrive } = setUp({ epoch: null });
  const engine = await open();
  sealing.setSend({ state: 'sealed' });
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(server.bodies).toMatchObject([{ content: 'one', encryption: 'none' }]);
  expect(sealing.drafts).toEqual([]);
  engine.stop();
});

test('no plain text goes to a conversation whose headers the server withholds', async () => {
  const { server, sealing, open, pending } = setUp({ epoch: null });
  sealing.setSend({ state: 'blocked', reason: 'old' });
  sealing.seen.add('c1');
  const engine = await open();
  engine.send('c1', 'secret');
  await eventually(() => sealing.calls.includes('seal message'));
  await settlePromises();
  expect(server.bodies).toEqual([]);
  expect(pending(engine)).toHaveLength(1);
  engine.stop();
});

test.each([
  ['nothing', [], false],
  ["the server's own lines", ['system'], false],
  ['a plain message', ['system', 'text'], true],
] as const)('the first message after %s begins the first epoch', async (_, before, hasPlainMessages) => {
  const { server, sealing, open, pending } = setUp({ epoch: null, startsSealed: true });
  for (const messageType of before) {
    server.store('you', messageType, null);
    Object.assign(server.messages.at(-1)!, { messageType });
  }
  const engine = await open();
  sealing.setSend({ state: 'sealed' });
  sealing.begin(0);
  engine.send('c1', 'one');
  await eventually(() => server.bodies.length === 1 && pending(engine).length === 0);
  expect(server.epochs).toEqual(['header-0']);
  expect(server.bodies).toMatchObject([{ encryption: 'epochs' }]);
  expect(sealing.drafts).toMatchObject([{ conversation: { hasPlainMessages } }]);
  engine.stop();
});

test('nothing is sent plain to a conversation whose epochs the server hides', async () => {
  const { server, sealing, open, arrive, sealedTexts } = setUp();
  server.hideEpochs();
  const engine = await open();
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(sealedTexts()).toEqual(['one']);
  expect(sealing.calls).toContain('standing');
  engine.stop();
});
