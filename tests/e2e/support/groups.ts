import type { GroupChat } from '@nolo/api';
import { befriend, createCastMember, type CastMember } from './cast.ts';
import { enNotes, fillPlaceholders } from './words.ts';

/** Creates three people; the first has both others as contacts. */
export async function createThreePeople(url: string): Promise<{ ada: CastMember; ben: CastMember; cleo: CastMember }> {
  const [ada, ben, cleo] = await Promise.all([
    createCastMember(url, 'Ada Adams'),
    createCastMember(url, 'Ben Botha'),
    createCastMember(url, 'Cleo Cele'),
  ]);
  await befriend(ada, ben);
  await befriend(ada, cleo);
  return { ada, ben, cleo };
}

/** Creates a group with initial members, without a browser. */
export async function createGroupWith(
  owner: CastMember,
  name: string,
  others: readonly CastMember[],
): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/groups', {
    name,
    memberIds: others.map(({ user }) => user.id),
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates a room that people join by its code, without a browser. */
export async function createRoom(
  owner: CastMember,
  name: string,
  options: Record<string, unknown> = {},
): Promise<GroupChat> {
  const reply = await owner.user.api.post<GroupChat>('/api/group-chats/create', { name, isPublic: true, ...options });
  expect(reply.status).toBe(201);
  return reply.body;
}

export async function joinGroupByCode(actor: CastMember, code: string): Promise<void> {
  const reply = await actor.user.api.post(`/api/group-chats/join/${code}`, {});
  expect(reply.status).toBeLessThan(300);
}

/** Returns a system message of a group as a member reads it. */
export function renderSystemMessage(
  kind: Exclude<keyof typeof enNotes, 'youInList' | 'others_one' | 'others_other'>,
  voice: string,
  values: Record<string, string> = {},
): string {
  const sentence = (enNotes[kind] as Record<string, string>)[voice];
  if (sentence === undefined) throw new Error(`There is no sentence for ${kind} in the voice ${voice}.`);
  return fillPlaceholders(sentence, values);
}
