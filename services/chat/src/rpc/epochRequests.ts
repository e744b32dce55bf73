import { fromUuid, readHeader, Refusal, type Bytes, type Statement } from '@nolo/e2ee';
import { parseId, type ConversationId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { NewEpoch, SignedStatement } from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import type { DeviceId, EpochUpload, KeyDirectory, ListState } from '../domain/epochPorts.ts';
import { conversationNotFound, createChatError } from '../errors.ts';

/** Parsers of bytes and ids. Lengths are checked before anything reads the bytes. */

/** @throws Refusal `malformed` */
export function readBytes(bytes: Uint8Array | undefined, max: number, min = 1): Bytes {
  if (!bytes || bytes.length < min || bytes.length > max)
    throw new Refusal('malformed', `expected ${min} to ${max} bytes`);
  return Uint8Array.from(bytes);
}

/** @throws Refusal `malformed` */
export const readStatement = (statement: SignedStatement | undefined, maxBytes: number): Statement => ({
  body: readBytes(statement?.body, maxBytes),
  signature: readBytes(statement?.signature, 64, 64),
});

/** Reads an id of 16 bytes, which need not be a UUID of a known version: the id of a vault is a hash. */
function readId<Id extends string>(id: string | undefined): Id | undefined {
  try {
    fromUuid(id ?? '');
  } catch {
    return undefined;
  }
  return id?.toLowerCase() as Id;
}

/** @throws conversation_not_found */
export function readConversationId(id: string | undefined): ConversationId {
  const read = readId<ConversationId>(id);
  if (read === undefined) throw conversationNotFound();
  return read;
}

/** @throws Refusal `malformed` */
export function readDeviceId(id: string | undefined): DeviceId {
  const read = readId<DeviceId>(id);
  if (read === undefined) throw new Refusal('malformed', 'a device without an id');
  return read;
}

/** @throws Refusal `malformed` */
export function readEpoch(epoch: NewEpoch | undefined, lost: boolean): EpochUpload {
  const boxes = epoch?.boxes ?? [];
  if (boxes.length > limits.epochBoxes) throw new Refusal('malformed', 'too many boxes');
  return {
    statement: readStatement(epoch?.header, limits.epochHeaderBytes),
    roster: readBytes(epoch?.roster, limits.epochRosterBytes),
    boxes: boxes.map(({ deviceId, box }) => ({
      deviceId: readDeviceId(deviceId),
      box: readBytes(box, limits.epochBoxBytes),
    })),
    previousSecret: epoch?.previousSecret && readBytes(epoch.previousSecret, limits.previousSecretBytes),
    lost,
  };
}

export const deviceRequired = () => createChatError('forbidden', 'device_required', 'This session has no device.');

/**
 * Returns the account's lists for an epoch that was lost: the newest one, and the one that its header names. The
 * session needs no device, because the list that adds it may have been lost too.
 *
 * @throws device_required, Refusal `malformed`
 */
export async function requireLists(
  directory: KeyDirectory,
  userId: UserId,
  sessionId: string | undefined,
  { statement }: EpochUpload,
): Promise<ListState> {
  const session = parseId<SessionId>(sessionId);
  const named = readHeader(statement).changes.find(({ type }) => type === 0 || type === 3);
  const hash = named && 'list' in named ? named.list?.hash : undefined;
  const state = session && (await directory.stateOf(userId, session, hash));
  if (!state) throw deviceRequired();
  return state;
}

/**
 * Returns the account's list and the device of the session.
 *
 * @throws device_required
 */
export async function requireDevice(
  directory: KeyDirectory,
  userId: UserId,
  sessionId: string | undefined,
): Promise<ListState & { device: DeviceId }> {
  // A personal access token has no session, and so no device.
  const session = parseId<SessionId>(sessionId);
  const state = session && (await directory.stateOf(userId, session));
  if (!state?.device) throw deviceRequired();
  return { ...state, device: state.device };
}
