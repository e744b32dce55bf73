import { randomInt, randomUUID } from 'node:crypto';
import type { Member, Message } from '@nolo/proto/conversation';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { runInParallel, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

/** Client's copy of a conversation. */
interface Replica {
  changeSeq: number;
  messages: Map<number, Message>;
  members: Map<string, Member>;
}

const emptyReplica = (): Replica => ({ changeSeq: 0, messages: new Map(), members: new Map() });
const copyOf = (replica: Replica): Replica => ({
  changeSeq: replica.changeSeq,
  messages: new Map(replica.messages),
  members: new Map(replica.members),
});

/** Requests one page of changes, like a client after a reconnect. Returns false when it is complete. */
async function catchUp(replica: Replica, actorId: string, conversationId: string, limit: number): Promise<boolean> {
  const page = await chat.client.listChanges({ actorId, conversationId, since: replica.changeSeq, limit });
  let last = replica.changeSeq;
  for (const { changeSeq, what } of page.changes) {
    expect(changeSeq).toBeGreaterThan(last);
    last = changeSeq;
    if (what?.$case === 'message') replica.messages.set(what.value.seq, what.value);
    if (what?.$case === 'member') replica.members.set(what.value.userId, what.value);
  }
  expect(page.changeSeq).toBeGreaterThanOrEqual(last);
  if (page.hasMore) expect(page.changeSeq).toBe(last);
  replica.changeSeq = page.changeSeq;
  return page.hasMore;
}

async function truth(actorId: string, conversationId: string): Promise<Replica> {
  const view = await chat.client.getConversation({ actorId, conversationId });
  const messages = new Map<number, Message>();
  for (let after = 0; after < view.lastSeq; after += 100) {
    const page = await chat.client.listMessages({ actorId, conversationId, after, before: undefined, limit: 100 });
    for (const message of page.messages) messages.set(message.seq, message);
  }
  return {
    changeSeq: view.changeSeq,
    messages,
    members: new Map(view.members.map((member) => [member.userId, member])),
  };
}

const sorted = (replica: Replica) => ({
  changeSeq: replica.changeSeq,
  messages: [...replica.messages.values()].toSorted((one, other) => one.seq - other.seq),
  members: [...replica.members.values()].toSorted((one, other) => one.userId.localeCompare(other.userId)),
});

test("a client that replays from any point during writes ends up in the server's state", async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id } = conversation;
  const people = [alice, bob];
  const sent: Message[] = [];
  const act = async () => {
    const actorId = people[randomInt(2)]!;
    const message = sent[randomInt(Math.max(1, sent.length))];
    const dice = randomInt(10);
    if (dice < 4 || !message) sent.push(await chat.send(actorId, id));
    else if (dice < 6) {
      await chatErrorKindAndCode(
        chat.client.editMessage(anEditMessageRequest({ actorId, messageId: message.id, content: randomUUID() })),
      );
    } else if (dice < 7) await chatErrorKindAndCode(chat.client.deleteMessage({ actorId, messageId: message.id }));
    else {
      await chat.client.moveCursor({
        actorId,
        conversationId: id,
        deliveredSeq: randomInt(sent.length + 2),
        readSeq: dice < 9 ? randomInt(sent.length + 2) : undefined,
      });
    }
  };
  const stages: Replica[] = [emptyReplica()];
  let writing = true;
  const follower = emptyReplica();
  const following = (async () => {
    while (writing) {
      await catchUp(follower, bob, id, 1 + randomInt(20));
      if (stages.length < 40) stages.push(copyOf(follower));
    }
  })();
  await runInParallel(300, 8, act);
  expect(sent.length).toBeGreaterThan(50);
  writing = false;
  await following;

  const expected = sorted(await truth(bob, id));
  expect(expected.messages.map(({ seq }) => seq)).toEqual(expected.messages.map((_, index) => index + 1));
  for (const replica of [follower, ...stages]) {
    while (await catchUp(replica, bob, id, 7)) expect(replica.changeSeq).toBeLessThan(expected.changeSeq);
    expect(sorted(replica)).toEqual(expected);
  }
});

test('answers a client that is up to date with the end and nothing else', async () => {
  const { alice, conversation } = await chat.pair();
  const listChangesSince = (since: number) =>
    chat.client.listChanges({ actorId: alice, conversationId: conversation.id, since });
  expect(await listChangesSince(2)).toMatchObject({ changes: [], changeSeq: 2, hasMore: false });
  expect(await listChangesSince(99)).toMatchObject({ changes: [], changeSeq: 2, hasMore: false });
  expect((await listChangesSince(-1)).changes).toHaveLength(2);
  const stranger = { actorId: randomUUID(), conversationId: conversation.id, since: 0 };
  expect(await chatErrorKindAndCode(chat.client.listChanges(stranger))).toBe('not_found conversation_not_found');
});
