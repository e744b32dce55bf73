import { randomUUID } from 'node:crypto';
import { limits, type CallSystemMessage } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { accept, chat, listReceivedRequestTimes, listedFor, viewOf, waits } from './requestScene.ts';
import { chatErrorKindAndCode } from './startChat.ts';

/** Writes the system message of an ended call, like meetings does. */
const addCallMessage = (actorId: string, conversationId: string, durationSeconds = 0, quiet = true) =>
  chat.client.addSystemMessage({
    actorId,
    conversationId,
    clientMessageId: randomUUID(),
    content: JSON.stringify({
      kind: 'call',
      callId: `call-${randomUUID()}`,
      callType: 'audio',
      outcome: durationSeconds > 0 ? 'completed' : 'missed',
      durationSeconds,
      calledAt: chat.clock.now().toISOString(),
    } satisfies CallSystemMessage),
    quiet,
  });
const setTimer = (actorId: string, conversationId: string, seconds: number) =>
  chat.messageActions.setTimer({ actorId, conversationId, seconds });

describe('A conversation before its first message', () => {
  test('is not visible to the receiver, who is not notified of it', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await eventually(() => chat.framesTo(alice).some(({ type }) => type === 'conversation_created'));
    expect([await listedFor(alice), await listedFor(bob)]).toEqual([[conversation.id], []]);
    expect(chat.framesTo(bob)).toEqual([]);

    await chat.send(alice, conversation.id);
    expect(await listedFor(bob)).toEqual([conversation.id]);
    await eventually(() => chat.framesTo(bob).some(({ type }) => type === 'new_message'));
  });

  test('is accepted by a receiver who opens it', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const opened = await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: alice });
    expect([opened.conversation?.id, opened.created]).toEqual([conversation.id, true]);
    expect([await waits(bob, conversation.id), await listedFor(bob)]).toEqual([false, [conversation.id]]);
    await eventually(() => chat.framesTo(bob).some(({ type }) => type === 'conversation_created'));
    expect((await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: alice })).created).toBe(false);
  });

  test('becomes a request with the first message, which opening does not accept', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await chat.send(alice, conversation.id);
    await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: alice });
    expect(await waits(bob, conversation.id)).toBe(true);
  });

  test.each([
    ['calls', (actorId: string, id: string) => addCallMessage(actorId, id)],
    ['timer changes', (actorId: string, id: string, nth: number) => setTimer(actorId, id, 3_600 + nth)],
    [
      'pins',
      async (actorId: string, id: string, nth: number) => {
        const { messages } = await chat.client.listMessages({ actorId, conversationId: id });
        const message = messages[0] ?? (await chat.send(actorId, id));
        return chat.messageActions.pinMessage({ actorId, messageId: message.id, pinned: nth % 2 === 0 });
      },
    ],
  ])('counts %s as first messages', async (_, add: (actorId: string, id: string, nth: number) => Promise<unknown>) => {
    const { alice, bob, conversation } = await chat.strangers();
    const tries: string[] = [];
    for (let nth = 0; nth < 13; nth += 1) tries.push(await chatErrorKindAndCode(add(alice, conversation.id, nth)));
    expect(new Set(tries)).toEqual(new Set(['none', 'forbidden request_limit']));
    const { lastSeq } = await viewOf(bob, conversation.id);
    expect(lastSeq).toBe(limits.messagesPerRequest);
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id))).toBe('forbidden request_limit');
  });

  test('is refused by people who accept no messages from strangers', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await chat.takesMessagesFrom(bob, 'contacts');
    const refused = 'forbidden messages_not_allowed';
    expect(await chatErrorKindAndCode(addCallMessage(alice, conversation.id))).toBe(refused);
    expect(await chatErrorKindAndCode(setTimer(alice, conversation.id, 3_600))).toBe(refused);
    expect([await listedFor(bob), chat.framesTo(bob)]).toEqual([[], []]);
  });

  test('lets a stranger who was shut out change no earlier messages', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id: messageId } = await chat.send(alice, conversation.id);
    await chat.takesMessagesFrom(bob, 'nobody');
    const refused = 'forbidden messages_not_allowed';
    expect(
      await chatErrorKindAndCode(
        chat.client.editMessage({
          actorId: alice,
          messageId,
          content: 'anew',
          hasLink: false,
          mentions: undefined,
        }),
      ),
    ).toBe(refused);
    expect(
      await chatErrorKindAndCode(chat.messageActions.setReaction({ actorId: alice, messageId, emoji: '👍' })),
    ).toBe(refused);
    expect(
      await chatErrorKindAndCode(chat.messageActions.pinMessage({ actorId: alice, messageId, pinned: true })),
    ).toBe(refused);
  });

  test('reports to other services why no more messages are accepted', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const refusal = async () => (await chat.client.hasAccepted({ actorId: bob, otherUserId: alice })).refusal;
    expect(await refusal()).toBeUndefined();
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) await addCallMessage(alice, conversation.id);
    expect(await refusal()).toBe('request_limit');
    await chat.takesMessagesFrom(bob, 'contacts');
    expect(await refusal()).toBe('messages_not_allowed');
    await accept(bob, conversation.id);
    expect(await refusal()).toBeUndefined();
  });
});

const standing = (actorId: string, otherUserId: string) => chat.client.hasAccepted({ actorId, otherUserId });

describe('A receiver', () => {
  test('accepts by answering a call, so that calls and messages continue', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) await addCallMessage(alice, id, 60 + nth);
    expect(await standing(bob, alice)).toEqual({ accepted: true, refusal: undefined });
    await addCallMessage(alice, id);
    await chat.send(alice, id);
    await eventually(() => listReceivedRequestTimes(bob).length > 0);
    expect([listReceivedRequestTimes(bob), listReceivedRequestTimes(alice)]).toEqual([[null], []]);
  });

  test.each([true, false])('accepts by answering a call at the limit (quiet: %s)', async (quiet) => {
    const { alice, bob, conversation } = await chat.strangers();
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) await chat.send(alice, conversation.id);
    await addCallMessage(alice, conversation.id, 1, quiet);
    expect(await waits(bob, conversation.id)).toBe(false);
    await chat.send(alice, conversation.id);
    const { readSeq } = await viewOf(bob, conversation.id);
    expect(readSeq).toBe(0);
  });

  test('does not accept by missing a call, or by a message that looks like one', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await addCallMessage(alice, conversation.id);
    await chat.send(alice, conversation.id, { content: '{"kind":"call","callId":"c","durationSeconds":60}' });
    expect(await waits(bob, conversation.id)).toBe(true);
  });

  test('does not accept by answering a call while refusing messages from strangers', async () => {
    const { alice, bob, conversation } = await chat.strangers();
    await chat.takesMessagesFrom(bob, 'contacts');
    expect(await chatErrorKindAndCode(addCallMessage(alice, conversation.id, 60))).toBe(
      'forbidden messages_not_allowed',
    );
    expect(await waits(bob, conversation.id)).toBe(true);
  });

  test.each([
    ['timer', (bob: string, id: string) => setTimer(bob, id, 3_600)],
    [
      'pin',
      async (bob: string, id: string) => {
        const { messages } = await chat.client.listMessages({ actorId: bob, conversationId: id });
        return chat.messageActions.pinMessage({ actorId: bob, messageId: messages[0]!.id, pinned: true });
      },
    ],
  ])('accepts by setting a %s', async (_, annotate: (bob: string, id: string) => Promise<unknown>) => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    await chat.send(alice, id);
    await annotate(bob, id);
    expect(await waits(bob, id)).toBe(false);
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) await chat.send(alice, id);
    await eventually(() => listReceivedRequestTimes(bob).length > 0);
    expect([listReceivedRequestTimes(bob), listReceivedRequestTimes(alice)]).toEqual([[null], []]);
  });

  test.each(['an answered call', 'a timer by the receiver'])('has accepted with %s earlier', async (which) => {
    const { alice, bob, conversation } = await chat.strangers();
    const { id } = conversation;
    await (which === 'an answered call' ? addCallMessage(alice, id, 60) : setTimer(bob, id, 3_600));
    await chat.db('members').where({ conversation_id: id, user_id: bob }).update({ requested_at: chat.clock.now() });
    for (let nth = 0; nth < limits.messagesPerRequest; nth += 1) await chat.send(alice, id);
    expect((await standing(bob, alice)).refusal).toBeUndefined();
  });
});
