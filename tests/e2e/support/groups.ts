import type { GroupChat } from '@nolo/api';
import { befriend, newcomer, type Actor } from './cast.ts';
import { enNotes, words } from './words.ts';

/** Creates three people; the first has both others as contacts. */
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

/** Creates a group with initial members, without a browser. */
export async function groupOf(owner: Actor, name: string, others: readonly Actor[]): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/groups', {
    name,
    memberIds: others.map(({ user }) => user.id),
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates a room that people join by its code, without a browser. */
export async function roomOf(owner: Actor, name: string, options: Record<string, unknown> = {}): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/group-chats/create', { name, isPublic: true, ...options });
  expect(reply.status).toBe(201);
  return reply.body;
}

export async function joinByCode(actor: Actor, code: string): Promise<void> {
  const reply = await actor.user.api.post(`/api/group-chats/join/${code}`, {});
  expect(reply.status).toBeLessThan(300);
}

/** Returns a system message of a group as a member reads it. */
export function noteWords(
  kind: Exclude<keyof typeof enNotes, 'youInList' | 'others_one' | 'others_other'>,
  voice: string,
  values: Record<string, string> = {},
): string {
  const sentence = (enNotes[kind] as Record<string, string>)[voice];
  if (sentence === undefined) throw new Error(`There is no sentence for ${kind} in the voice ${voice}.`);
  return words(sentence, values);
}
