import { randomUUID } from 'node:crypto';
import { createSealedPair, giveKeys } from './epochFixtures.ts';
import { createTestGroup } from './groupFixtures.ts';
import { startChat, type TestChat } from './startChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const required = { code: 'encryption_required', details: undefined };

describe('a message that is not sealed', () => {
  it('begins no conversation once one member has keys, whoever writes', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await giveKeys(chat, bob);
    for (const one of [alice, bob]) expect(await refusalOf(chat.send(one, conversation.id))).toEqual(required);
    const people = await Promise.all(Array.from({ length: 25 }, () => chat.person()));
    const group = await createTestGroup(chat, people[0]!, { memberIds: people.slice(1) });
    await giveKeys(chat, people.at(-1)!);
    expect(await refusalOf(chat.send(people[1]!, group.id))).toEqual(required);
  });

  it('goes where nobody ever had keys, and on once somebody has, until an epoch begins', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await chat.send(alice, conversation.id, { content: 'first' });
    await giveKeys(chat, bob);
    expect(await chat.send(bob, conversation.id, { content: 'second' })).toMatchObject({ seq: 2 });
    const { alice: sealedAlice, sealed } = await createSealedPair(chat);
    expect(await refusalOf(chat.send(sealedAlice.userId, sealed.id))).toEqual(required);
  });

  it('is answered as before when it is repeated', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const clientMessageId = randomUUID();
    const first = await chat.send(alice, conversation.id, { clientMessageId });
    await giveKeys(chat, bob);
    expect(await chat.send(alice, conversation.id, { clientMessageId })).toEqual(first);
  });

  it('tells strangers nothing about the keys of members', async () => {
    const { bob, conversation } = await chat.pair();
    await giveKeys(chat, bob);
    expect(await refusalOf(chat.send(await chat.person(), conversation.id))).toMatchObject({
      code: 'conversation_not_found',
    });
    // Their attempt opens no way either.
    expect(await refusalOf(chat.send(bob, conversation.id))).toEqual(required);
  });

  it('stays possible in the chats of meetings, which have no epochs yet', async () => {
    const owner = await giveKeys(chat, await chat.person());
    const id = randomUUID();
    await chat.client.joinMeetingConversation({
      actorId: '',
      conversationId: id,
      userId: owner.userId,
      role: 'owner',
    } as never);
    expect(await chat.send(owner.userId, id)).toMatchObject({ seq: 1 });
  });
});
