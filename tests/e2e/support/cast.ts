import { converse, messageTo, randomPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import type { Message } from '@nolo/api';

/** A person with an account, made without a browser; the name's letters make it one of its kind. */
export interface Actor {
  user: TestUser;
  name: string;
}

export async function newcomer(url: string, name: string): Promise<Actor> {
  return { user: await signUpByPhone(url, randomPhone(), name), name };
}

/** The two know each other by name and have a conversation. */
export async function befriend(one: Actor, other: Actor): Promise<string> {
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

export async function say(actor: Actor, conversationId: string, content: string): Promise<Message> {
  const reply = await actor.user.api.post<Message>('/api/messages', messageTo(conversationId, content));
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Two friends with some words between them already. */
export async function friends(
  url: string,
  words: readonly string[] = [],
): Promise<{ ada: Actor; ben: Actor; id: string }> {
  const [ada, ben] = await Promise.all([newcomer(url, 'Ada Adams'), newcomer(url, 'Ben Botha')]);
  const id = await befriend(ada, ben);
  for (const [index, text] of words.entries()) await say(index % 2 === 0 ? ada : ben, id, text);
  return { ada, ben, id };
}
