import { randomUUID } from 'node:crypto';
import { unpackError } from '@nolo/kit/rpc';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import { limits } from '@nolo/rules';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const request = (actorId: string, conversationId: string, more: Partial<SendMessageRequest> = {}) =>
  aSendMessageRequest({ actorId, conversationId, ...more });

/** Returns the number assigned to a message, or the reason why it was refused. */
const outcomeOf = ({ outcome }: SendResult) => {
  if (outcome?.$case === 'message') return outcome.value.seq;
  const error = outcome && unpackError(outcome.value);
  return error && `${error.kind} ${error.code}`;
};

describe('SendMessages', () => {
  test('stores what it can in the given order, and rejects each of the others for its own reason', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const elsewhere = await chat.pair();
    const clientMessageId = randomUUID();
    const { results } = await chat.client.sendMessages({
      traceparents: [],
      messages: [
        request(alice, conversation.id, { content: 'first', clientMessageId }),
        request(randomUUID(), conversation.id),
        request(bob, conversation.id, { content: 'second' }),
        request(bob, conversation.id, { content: ' ' }),
        request(alice, conversation.id, { content: 'x'.repeat(limits.messageEnvelopeBytes + 1) }),
        request(alice, 'no id'),
        request(elsewhere.alice, elsewhere.conversation.id),
        request(alice, conversation.id, { clientMessageId }),
        request(alice, elsewhere.conversation.id),
      ],
    });
    expect(results.map(outcomeOf)).toEqual([
      1,
      'not_found conversation_not_found',
      2,
      'invalid message_blank',
      'too_large message_too_large',
      'not_found conversation_not_found',
      1,
      1,
      'not_found conversation_not_found',
    ]);
    const page = await chat.client.listMessages({ actorId: bob, conversationId: conversation.id });
    expect(page.messages.map(({ content }) => content)).toEqual(['first', 'second']);
    expect(results[0]?.outcome).toEqual(results[7]?.outcome);
  });

  test('numbers messages of many concurrent calls without gaps', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        chat.client.sendMessages({
          traceparents: [],
          messages: Array.from({ length: 20 }, (_, index) => request(index % 2 ? alice : bob, conversation.id)),
        }),
      ),
    );
    const numbers = replies.map(({ results }) => results.map(outcomeOf));
    for (const own of numbers) expect(own).toEqual(own.toSorted((one, other) => Number(one) - Number(other)));
    expect(new Set(numbers.flat())).toEqual(new Set(Array.from({ length: 120 }, (_, index) => index + 1)));
  });

  test('accepts at most 32', async () => {
    const { alice, conversation } = await chat.pair();
    const messages = Array.from({ length: 33 }, () => request(alice, conversation.id));
    expect(await chatErrorKindAndCode(chat.client.sendMessages({ messages, traceparents: [] }))).toBe(
      'invalid message_invalid',
    );
    expect((await chat.client.sendMessages({ messages: messages.slice(1), traceparents: [] })).results).toHaveLength(
      32,
    );
    expect((await chat.client.sendMessages({ messages: [], traceparents: [] })).results).toEqual([]);
  });
});
