import { fail } from '@nolo/kit/errors';
import { packError, type RpcCallOptions } from '@nolo/kit/rpc';
import type { SendMessageRequest, SendMessagesRequest, SendResult } from '@nolo/proto/chat';
import type { Message } from '@nolo/proto/conversation';
import { createMessageSending } from './messageSending.ts';

const blank: SendMessageRequest = {
  actorId: 'ann',
  conversationId: 'room',
  content: '',
  encryption: 'none',
  messageType: 'text',
  clientMessageId: '',
  attachment: undefined,
  mentions: [],
  replyToSeq: 0,
  forwarded: false,
  linkPreview: '',
  hasLink: false,
};
const draft = (content: string, more: Partial<SendMessageRequest> = {}) => ({ ...blank, content, ...more });

/** A chat that stores everything except what says "refuse me". */
function recordingChat() {
  const calls: { contents: string[]; requestId: string | undefined }[] = [];
  const store = ({ content, actorId }: SendMessageRequest): SendResult =>
    content === 'refuse me'
      ? { outcome: { $case: 'error', value: packError(fail('forbidden', 'blocked', 'No.', { why: 'so' })) } }
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
  it('sends in one call what comes in one turn for one conversation, and gives everybody their own answer', async () => {
    const chat = recordingChat();
    const send = createMessageSending(chat);
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

  it('keeps conversations apart, and turns', async () => {
    const chat = recordingChat();
    const send = createMessageSending(chat);
    await Promise.all([send(draft('here'), {}), send(draft('there', { conversationId: 'other' }), {})]);
    await send(draft('later'), { requestId: 'r9' });
    expect(chat.calls).toEqual([
      { contents: ['here'], requestId: undefined },
      { contents: ['there'], requestId: undefined },
      { contents: ['later'], requestId: 'r9' },
    ]);
  });

  it('puts no more into a call than it holds', async () => {
    const chat = recordingChat();
    const send = createMessageSending(chat);
    await Promise.all(Array.from({ length: 70 }, (_, index) => send(draft(`${index}`), {})));
    expect(chat.calls.map(({ contents }) => contents.length)).toEqual([32, 32, 6]);
    expect(chat.calls.flatMap(({ contents }) => contents)).toEqual(
      Array.from({ length: 70 }, (_, index) => `${index}`),
    );

    chat.calls.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => send(draft('x'.repeat(262_144)), {})));
    expect(chat.calls.map(({ contents }) => contents.length)).toEqual([2, 2, 1]);
  });

  it('tells everybody when the call fails', async () => {
    const failure = fail('unavailable', 'service_unavailable', 'Away.');
    const chat = { ...recordingChat(), sendMessages: () => Promise.reject(failure) };
    const send = createMessageSending(chat);
    const answers = await Promise.allSettled([send(draft('one'), {}), send(draft('two'), {})]);
    expect(answers).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
  });
});
