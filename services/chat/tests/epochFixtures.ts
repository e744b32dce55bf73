import { randomUUID } from 'node:crypto';
import { fromUuid, type Role } from '@nolo/e2ee';
import type { SendMessageRequest } from '@nolo/proto/messages';
import { signConversationEpoch, type EpochPerson, type EpochPlan } from '@nolo/testing/conversationEpochs';
import {
  createTestDevice,
  signFirstList,
  signNextList,
  type ListChanges,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import type { TestEpoch } from '@nolo/testing/vaults';
import { createTestGroup } from './groupFixtures.ts';
import type { TestChat } from './startChat.ts';

/** Person with a device and a session. */
export interface SealedPerson {
  readonly userId: string;
  readonly device: TestDevice;
  readonly sessionId: string;
  newest: SignedList;
}

/** Conversation with its newest epoch and its members' roles, as the next epoch has them. */
export interface SealedConversation {
  readonly id: string;
  readonly kind: 1 | 2;
  readonly people: Map<SealedPerson, Role>;
  epoch: TestEpoch | undefined;
}

/** Gives a person keys. */
export async function giveKeys(chat: TestChat, userId: string): Promise<SealedPerson> {
  const device = await createTestDevice(userId);
  const newest = await signFirstList(device);
  const sessionId = randomUUID();
  chat.keys.accept(userId, newest);
  chat.keys.signIn(userId, sessionId, device);
  return { userId, device, sessionId, newest };
}

/** Signs and accepts the next list of a person. */
export async function changeList(
  chat: TestChat,
  person: SealedPerson,
  changes: ListChanges,
  at?: Date,
): Promise<SignedList> {
  person.newest = await signNextList(person.newest.checked, person.device, changes);
  chat.keys.accept(person.userId, person.newest, at);
  return person.newest;
}

const toPerson = ([{ userId, newest }, role]: [SealedPerson, Role]): EpochPerson => ({
  userId,
  role,
  list: newest.checked,
});

/** Signs the next epoch of a conversation as one of its people. */
export const signNext = (
  { id, kind, people, epoch }: SealedConversation,
  { device, userId }: SealedPerson,
  plan: Partial<EpochPlan> = {},
): Promise<TestEpoch> =>
  signConversationEpoch(
    { conversationId: id, kind, members: [...people].map(toPerson), before: epoch, ...plan },
    { ...device, account: fromUuid(userId) },
  );

/** Sends an epoch as a client does. */
export const commitTo = (
  chat: TestChat,
  { id }: Pick<SealedConversation, 'id'>,
  { userId, sessionId }: Pick<SealedPerson, 'userId' | 'sessionId'>,
  { message }: Pick<TestEpoch, 'message'>,
  more: { lost?: boolean; message?: SendMessageRequest } = {},
) =>
  chat.epochs.commitEpoch({
    actorId: userId,
    sessionId,
    conversationId: id,
    epoch: message,
    keys: undefined,
    ...more,
  });

/** Signs the next epoch and has it accepted. */
export async function commitNext(
  chat: TestChat,
  conversation: SealedConversation,
  person: SealedPerson,
  plan: Partial<EpochPlan> = {},
): Promise<TestEpoch> {
  const epoch = await signNext(conversation, person, plan);
  await commitTo(chat, conversation, person, epoch);
  conversation.epoch = epoch;
  return epoch;
}

/** Epoch as it goes with a change of members or settings. */
export const withChange = ({ sessionId }: SealedPerson, { message }: TestEpoch) => ({ sessionId, epoch: message });

/** Creates a direct conversation with epoch 0. */
export async function createSealedPair(chat: TestChat) {
  const { alice, bob, conversation } = await chat.pair();
  const people = [await giveKeys(chat, alice), await giveKeys(chat, bob)] as const;
  const sealed: SealedConversation = {
    id: conversation.id,
    kind: 1,
    people: new Map(people.map((one) => [one, 0])),
    epoch: undefined,
  };
  await commitNext(chat, sealed, people[0]);
  return { alice: people[0], bob: people[1], sealed };
}

/** Creates a group of an owner, an admin, and a member with epoch 0. */
export async function createSealedGroup(chat: TestChat, more: Parameters<typeof createTestGroup>[2] = {}) {
  const [owner, admin, member] = [
    await giveKeys(chat, await chat.person()),
    await giveKeys(chat, await chat.person()),
    await giveKeys(chat, await chat.person()),
  ];
  const { id } = await createTestGroup(chat, owner.userId, { memberIds: [admin.userId, member.userId], ...more });
  await chat.groups.setRole({ actorId: owner.userId, conversationId: id, userId: admin.userId, role: 'admin' });
  const people = new Map<SealedPerson, Role>([
    [owner, 2],
    [admin, 1],
    [member, 0],
  ]);
  const sealed: SealedConversation = { id, kind: 2, people, epoch: undefined };
  await commitNext(chat, sealed, owner, { admission: more.isPublic ? 1 : 0 });
  return { owner, admin, member, sealed };
}
