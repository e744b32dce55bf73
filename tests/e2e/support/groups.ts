import type { GroupChat } from '@nolo/api';
import { befriend, newcomer, type Actor } from './cast.ts';
import { enNotes, words } from './words.ts';

/** Three people of whom the first knows both others by name. */
export async function threePeople(url: string): Promise<{ ada: Actor; ben: Actor; cleo: Actor }> {
  const [ada, ben, cleo] = await Promise.all([
    newcomer(url, 'Ada Adams'),
    newcomer(url, 'Ben Botha'),
    newcomer(url, 'Cleo Cele'),
  ]);
  await befriend(ada, ben);
  await befriend(ada, cleo);
  return { ada, ben, cleo };
}

/** A group with people in it from the start, made without a browser. */
export async function groupOf(owner: Actor, name: string, others: readonly Actor[]): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/groups', {
    name,
    memberIds: others.map(({ user }) => user.id),
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** A room that is joined by its code, made without a browser. */
export async function roomOf(owner: Actor, name: string, options: Record<string, unknown> = {}): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/group-chats/create', { name, isPublic: true, ...options });
  expect(reply.status).toBe(201);
  return reply.body;
}

export async function joinByCode(actor: Actor, code: string): Promise<void> {
  const reply = await actor.user.api.post(`/api/group-chats/join/${code}`, {});
  expect(reply.status).toBeLessThan(300);
}

/** What the server wrote into a group, as one reads it. */
export function noteWords(
  kind: Exclude<keyof typeof enNotes, 'youInList' | 'others_one' | 'others_other'>,
  voice: string,
  values: Record<string, string> = {},
): string {
  const sentence = (enNotes[kind] as Record<string, string>)[voice];
  if (sentence === undefined) throw new Error(`Nobody says ${kind} like ${voice}.`);
  return words(sentence, values);
}
