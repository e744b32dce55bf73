import type { ConversationId, UserId } from '@nolo/kit/ids';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { checkDraft, type MessageDraft } from './message.ts';
import type { AppendOutcome } from './ports.ts';
import { createSendQueue } from './sendQueue.ts';

const [one, other] = ['one', 'other'] as ConversationId[];
const now = () => new Date(0);

const draft = (content: string) =>
  checkDraft('0199aaaa-0000-7000-8000-000000000001' as UserId, aSendMessageRequest({ content }));

/** Returns a store that replies when the test decides. */
function slowStore() {
  const calls: { conversationId: string; contents: string[]; answer: () => void; refuse: (error: Error) => void }[] =
    [];
  const append = (conversationId: ConversationId, drafts: readonly MessageDraft[]) =>
    new Promise<AppendOutcome[]>((resolve, reject) => {
      calls.push({
        conversationId,
        contents: drafts.map(({ content }) => content),
        answer: () => resolve(drafts.map(() => ({ kind: 'blocked' }))),
        refuse: reject,
      });
    });
  return { calls, append };
}

/** Waits for the queue, which lets one turn of the event loop pass before each batch. */
const settle = async () => {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
};

test('concurrent messages form one batch, and those that arrive meanwhile form the next, in order', async () => {
  const { calls, append } = slowStore();
  const queue = createSendQueue(append, now);
  const sent = ['a', 'b'].map((content) => queue.send(one!, draft(content)));
  await settle();
  sent.push(...['c', 'd', 'e'].map((content) => queue.send(one!, draft(content))));
  await settle();
  expect(calls.map(({ contents }) => contents)).toEqual([['a', 'b']]);
  calls[0]!.answer();
  await settle();
  expect(calls.map(({ contents }) => contents)).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  calls[1]!.answer();
  expect(await Promise.all(sent)).toHaveLength(5);
  const retry = queue.send(one!, draft('f'));
  await settle();
  expect(calls.at(-1)?.contents).toEqual(['f']);
  calls.at(-1)!.answer();
  await retry;
});

test('conversations do not block each other', async () => {
  const { calls, append } = slowStore();
  const queue = createSendQueue(append, now);
  void queue.send(one!, draft('a'));
  void queue.send(other!, draft('b'));
  await settle();
  expect(calls.map(({ conversationId }) => conversationId)).toEqual(['one', 'other']);
});

test('a failure affects its whole batch and no later one', async () => {
  const { calls, append } = slowStore();
  const queue = createSendQueue(append, now);
  const first = queue.send(one!, draft('a'));
  await settle();
  const second = queue.send(one!, draft('b'));
  calls[0]!.refuse(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await settle();
  calls[1]!.answer();
  expect(await second).toEqual({ kind: 'blocked' });
});

test('a batch stays within the size limit of a statement', async () => {
  const { calls, append } = slowStore();
  const queue = createSendQueue(append, now);
  for (let index = 0; index < 20; index += 1) void queue.send(one!, draft('x'.repeat(65_536)));
  for (let index = 0; index < 200; index += 1) void queue.send(one!, draft('y'));
  await settle();
  for (let index = 0; calls[index]; index += 1) {
    calls[index]!.answer();
    await settle();
  }
  expect(calls.map(({ contents }) => contents.length)).toEqual([16, 128, 76]);
});

test('a message that would wait too long is rejected', async () => {
  const { calls, append } = slowStore();
  const queue = createSendQueue(append, now);
  void queue.send(one!, draft('a'));
  await settle();
  const waiting = Array.from({ length: 2_048 }, () => queue.send(one!, draft('b')));
  await expect(queue.send(one!, draft('c'))).rejects.toMatchObject({ kind: 'unavailable', code: 'send_contended' });
  const answered = Promise.all(waiting);
  for (let index = 0; calls[index]; index += 1) {
    calls[index]!.answer();
    await settle();
  }
  expect(await answered).toHaveLength(2_048);
});
