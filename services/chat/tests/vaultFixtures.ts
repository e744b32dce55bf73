import { randomUUID } from 'node:crypto';
import { isAppError } from '@nolo/kit/errors';
import {
  continueFrom,
  createTestDevice,
  signFirstList,
  signNextList,
  type ListChanges,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import { signVaultEpoch, vaultUuidOf, type EpochOptions, type TestEpoch } from '@nolo/testing/vaults';
import type { TestChat } from './startChat.ts';

/** Account with a vault. */
export interface VaultOwner {
  readonly userId: string;
  readonly vaultId: string;
  readonly laptop: TestDevice;
  /** Session of the laptop. */
  readonly sessionId: string;
  newest: SignedList;
  /** Newest epoch that was accepted. */
  epoch: TestEpoch;
}

/** Has identity commit the epoch of a list, which it then accepts. */
export async function acceptList(
  chat: TestChat,
  owner: Pick<VaultOwner, 'userId' | 'vaultId'>,
  list: SignedList,
  committer: TestDevice,
): Promise<void> {
  await chat.epochs.commitEpoch({
    actorId: owner.userId,
    sessionId: undefined,
    conversationId: owner.vaultId,
    epoch: list.message.vault,
    keys: chat.keys.stateFor(owner.userId, list, committer),
  });
  chat.keys.accept(owner.userId, list);
}

/** Creates an account with a first list and a vault. */
export async function createVaultOwner(chat: TestChat): Promise<VaultOwner> {
  const userId = await chat.person();
  const laptop = await createTestDevice(userId);
  const newest = await signFirstList(laptop);
  const owner = { userId, vaultId: vaultUuidOf(newest.epoch), laptop, sessionId: randomUUID() };
  await acceptList(chat, owner, newest, laptop);
  chat.keys.signIn(userId, owner.sessionId, laptop);
  return { ...owner, newest, epoch: newest.epoch };
}

/** Signs the next list as the laptop, and has it accepted with its epoch. */
export async function addList(chat: TestChat, owner: VaultOwner, changes: ListChanges): Promise<void> {
  continueFrom(owner.newest.checked, owner.epoch);
  const list = await signNextList(owner.newest.checked, owner.laptop, changes);
  if (list.message.vault) await acceptList(chat, owner, list, owner.laptop);
  else chat.keys.accept(owner.userId, list);
  Object.assign(owner, { newest: list, epoch: list.epoch });
}

/** Adds a device in a session of its own. */
export async function addDevice(chat: TestChat, owner: VaultOwner): Promise<{ device: TestDevice; sessionId: string }> {
  const device = await createTestDevice(owner.userId);
  await addList(chat, owner, { add: [device] });
  const sessionId = randomUUID();
  chat.keys.signIn(owner.userId, sessionId, device);
  return { device, sessionId };
}

/** Signs the next epoch for the newest list. */
export const signNextEpoch = (
  owner: VaultOwner,
  options: EpochOptions & { committer?: TestDevice } = {},
): Promise<TestEpoch> => signVaultEpoch(owner.newest.checked, options.committer ?? owner.laptop, owner.epoch, options);

/** Commits an epoch from a session, as a client does. */
export const commit = (
  chat: TestChat,
  { userId, vaultId, sessionId }: Pick<VaultOwner, 'userId' | 'vaultId' | 'sessionId'>,
  { message }: Pick<TestEpoch, 'message'>,
) =>
  chat.epochs.commitEpoch({
    actorId: userId,
    sessionId,
    conversationId: vaultId,
    epoch: message,
    keys: undefined,
  });

/** Returns code and details of the error that a call ends with. */
export async function refusalOf(call: Promise<unknown>): Promise<{ code: string; details: unknown }> {
  try {
    await call;
  } catch (error) {
    if (isAppError(error)) return { code: error.code, details: error.details };
    throw error;
  }
  throw new Error('The call was expected to be refused but succeeded.');
}

export const recoveryKeyId = '00000000-0000-0000-0000-000000000000';
export const listEpochs = (chat: TestChat, { userId, vaultId }: VaultOwner, sessionId: string | undefined, from = 0) =>
  chat.epochs.listEpochs({ actorId: userId, sessionId, conversationId: vaultId, from });
export const refused = (reason: string) => ({ code: 'epoch_refused', details: { reason } });
export const answerOf = ({ checked }: TestEpoch) => ({ n: checked.header.n, hash: Buffer.from(checked.hash) });
export const storedNumbers = (chat: TestChat, { vaultId }: VaultOwner) =>
  chat.db('epochs').where({ conversation_id: vaultId }).orderBy('n').pluck('n');
export const framesTo = (chat: TestChat, { userId }: VaultOwner, type: string) =>
  chat.framesTo(userId).flatMap((frame) => (frame.type === type ? [frame.data] : []));
