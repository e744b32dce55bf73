import { createAppError } from '@nolo/kit/errors';
import { packError, type RpcCallOptions } from '@nolo/kit/rpc';
import type { SendMessageRequest, SendMessagesRequest, SendResult } from '@nolo/proto/messages';
import type { Message } from '@nolo/proto/conversation';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { createBatchingMessageSender } from './messageSender.ts';

const draft = (content: string, more: Partial<SendMessageRequest> = {}) =>
  aSendMessageRequest({ actorId: 'ann', conversationId: 'room', content, ...more });

/** Creates a chat that stores everything except "refuse me". */
function recordingChat() {
  const calls: { contents: string[]; requestId: string | undefined }[] = [];
  const store = ({ content, actorId }: SendMessageRequest): SendResult =>
    content === 'refuse me'
      ? { outcome: { $case: 'error', value: packError(createAppError('forbidden', 'blocked', 'No.', { why: 'so' })) } }
      : { outcome: { $case: 'message', value: { content, senderId: actorId } as Message } };
  return {
    calls,
    sendMessage: async (request: SendMessageRequest, { requestId }: RpcCallOptions = {}) => {
      calls.push({ contents: [request.content], requestId });
      return { content: request.content, senderId: request.actorId } as Message;
    },
    sendMessages: async ({ messages }: SendMessagesRequest, { requestId }: RpcCallOptions = {}) => {
      calls.push({ contents: messages.map(({ content }) => content), requestId });
      return { results: messages.map(store) };
    },
  };
}

describe('createMessageSending', () => {
  it('batches the messages of one tick for one conversation, and gives each its own answer', async () => {
    const chat = recordingChat();
    const send = createBatchingMessageSender(chat);
    const answers = await Promise.allSettled([
      send(draft('one'), { requestId: 'r1' }),
      send(draft('refuse me', { actorId: 'ben' }), { requestId: 'r2' }),
      send(draft('three', { actorId: 'cem' }), { requestId: 'r3' }),
    ]);
    expect(chat.calls).toEqual([{ contents: ['one', 'refuse me', 'three'], requestId: 'r1 r2 r3' }]);
    expect(answers).toEqual([
      { status: 'fulfilled', value: { content: 'one', senderId: 'ann' } },
      {
        status: 'rejected',
        reason: expect.objectContaining({ kind: 'forbidden', code: 'blocked', details: { why: 'so' } }),
      },
      { status: 'fulfilled', value: { content: 'three', senderId: 'cem' } },
    ]);
  });

  it('keeps conversations and ticks apart', async () => {
    const chat = recordingChat();
    const send = createBatchingMessageSender(chat);
    await Promise.all([send(draft('here'), {}), send(draft('there', { conversationId: 'other' }), {})]);
    await send(draft('later'), { requestId: 'r9' });
    expect(chat.calls).toEqual([
      { contents: ['here'], requestId: undefined },
      { contents: ['there'], requestId: undefined },
      { contents: ['later'], requestId: 'r9' },
    ]);
  });

  /** Creates a chat that answers only when the test triggers it. */
  function slowChat() {
    const chat = recordingChat();
    const answers: (() => void)[] = [];
    const later = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) => {
      return (...args: Args) => {
        const answer = work(...args);
        return new Promise<T>((resolve) => void answers.push(() => resolve(answer)));
      };
    };
    return {
      calls: chat.calls,
      /** Answers the oldest call. */
      answer: () => answers.shift()?.(),
      sendMessage: later(chat.sendMessage),
      sendMessages: later(chat.sendMessages),
    };
  }
  const turn = () => new Promise(setImmediate);

  it('batches messages that arrive during a call, and sends them when it is answered', async () => {
    const chat = slowChat();
    const send = createBatchingMessageSender(chat);
    const sent = [send(draft('one'), {})];
    await turn();
    sent.push(send(draft('two'), {}));
    await turn();
    sent.push(send(draft('three'), {}));
    await turn();
    expect(chat.calls.map(({ contents }) => contents)).toEqual([['one']]);
    chat.answer();
    await sent[0];
    // The first turn delivers the reply to the queue; the second flushes it.
    await turn();
    await turn();
    expect(chat.calls.map(({ contents }) => contents)).toEqual([['one'], ['two', 'three']]);
    chat.answer();
    await Promise.all(sent);
    // The queue is idle, so nothing waits.
    void send(draft('four'), {});
    await turn();
    expect(chat.calls).toHaveLength(3);
  });

  it('waits only briefly for a slow call', async () => {
    const { jest } = import.meta;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const chat = slowChat();
      const send = createBatchingMessageSender(chat);
      void send(draft('one'), {});
      await turn();
      void send(draft('two'), {});
      void send(draft('three'), {});
      jest.advanceTimersByTime(24);
      expect(chat.calls).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await turn();
      expect(chat.calls.map(({ contents }) => contents)).toEqual([['one'], ['two', 'three']]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('limits a call to its maximum number of messages', async () => {
    const chat = recordingChat();
    const send = createBatchingMessageSender(chat);
    await Promise.all(Array.from({ length: 70 }, (_, index) => send(draft(`${index}`), {})));
    expect(chat.calls.map(({ contents }) => contents.length)).toEqual([32, 32, 6]);
    expect(chat.calls.flatMap(({ contents }) => contents)).toEqual(
      Array.from({ length: 70 }, (_, index) => `${index}`),
    );

    chat.calls.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => send(draft('x'.repeat(262_144)), {})));
    expect(chat.calls.map(({ contents }) => contents.length)).toEqual([2, 2, 1]);
  });

  it('rejects every message of a failed call', async () => {
    const failure = createAppError('unavailable', 'service_unavailable', 'Away.');
    const chat = { ...recordingChat(), sendMessages: () => Promise.reject(failure) };
    const send = createBatchingMessageSender(chat);
    const answers = await Promise.allSettled([send(draft('one'), {}), send(draft('two'), {})]);
    expect(answers).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
  });
});
