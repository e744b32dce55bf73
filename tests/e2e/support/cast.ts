import { converse, messageTo, randomPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import type { Message } from '@nolo/api';

/** User with an account, created without a browser. */
export interface CastMember {
  user: TestUser;
  name: string;
}

export async function createCastMember(url: string, name: string): Promise<CastMember> {
  return { user: await signUpByPhone(url, randomPhone(), name), name };
}

/** Makes the two contacts of each other, with a conversation. */
export async function befriend(one: CastMember, other: CastMember): Promise<string> {
  for (const [self, contact] of [
    [one, other],
    [other, one],
  ] as const) {
    const added = await self.user.api.post('/api/contacts', {
      phoneNumber: contact.user.phone,
      displayName: contact.name,
    });
    expect(added.status).toBe(201);
  }
  return (await converse(one.user, other.user)).id as string;
}

export async function sendMessage(actor: CastMember, conversationId: string, content: string): Promise<Message> {
  const reply = await actor.user.api.post<Message>('/api/messages', messageTo(conversationId, content));
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates two friends with some messages between them. */
export async function createFriends(
  url: string,
  words: readonly string[] = [],
): Promise<{ ada: CastMember; ben: CastMember; id: string }> {
  const [ada, ben] = await Promise.all([createCastMember(url, 'Ada Adams'), createCastMember(url, 'Ben Botha')]);
  const id = await befriend(ada, ben);
  for (const [index, text] of words.entries()) await sendMessage(index % 2 === 0 ? ada : ben, id, text);
  return { ada, ben, id };
}
