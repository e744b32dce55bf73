import {
  equalBytes,
  fromUuid,
  readHeader,
  readRoster,
  Refusal,
  toHex,
  toUuid,
  type Bytes,
  type Header,
} from '@nolo/e2ee';
import { parseId, type ConversationId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { EpochOfChange } from '@nolo/proto/epochs';
import { limits } from '@nolo/rules';
import type { AccountQuery, ChangeEpoch, EpochUpload, KnownList, PreparedEpoch } from '../domain/epochPorts.ts';
import { EpochRefusal } from '../domain/epochs.ts';
import { conversationNotFound, createChatError } from '../errors.ts';
import type { EpochDependencies } from './epochDependencies.ts';
import { deviceRequired, readEpoch } from './epochRequests.ts';

/** Converts a refusal to an error with its reason. Returns anything else as it is. */
export function toEpochRefused(error: unknown): unknown {
  if (!(error instanceof Refusal) && !(error instanceof EpochRefusal)) return error;
  const reason = error instanceof EpochRefusal ? error.reason : error.code;
  const message = 'This change of keys cannot be stored.';
  return createChatError('invalid', 'epoch_refused', message, { reason }, { reason: error.message });
}

interface Name {
  readonly userId: UserId;
  readonly hash: Bytes;
}

/** Returns the lists that the members and the changes of an epoch name, each once. */
function namesIn(header: Header, { roster }: EpochUpload): Name[] {
  const names = [...readRoster(roster), ...header.changes].flatMap((one): Name[] =>
    'list' in one && one.list ? [{ userId: toUuid(one.account) as UserId, hash: one.list.hash }] : [],
  );
  return [...new Map(names.map((name) => [`${name.userId} ${toHex(name.hash)}`, name])).values()];
}

/** Returns what to ask about each account of an epoch, members without keys included. */
function queriesFor(
  accounts: readonly UserId[],
  names: readonly Name[],
  known: ReadonlyMap<UserId, readonly KnownList[]>,
): AccountQuery[] {
  const byAccount = Map.groupBy(names, ({ userId }) => userId);
  if ([...byAccount.values()].some(({ length }) => length > limits.listStateNames))
    throw new Refusal('malformed', 'too many lists of one account');
  return accounts.map((userId) => {
    const own = known.get(userId) ?? [];
    const isKnown = (hash: Bytes) => own.some(({ checked }) => equalBytes(checked.hash, hash));
    const named = (byAccount.get(userId) ?? []).map(({ hash }) => hash).filter((hash) => !isKnown(hash));
    return { userId, named, known: own };
  });
}

type Preparing = Pick<EpochDependencies, 'directory' | 'conversationEpochs'>;

/**
 * Reads an epoch of a conversation and asks identity for the lists of its members. Nothing is locked meanwhile.
 *
 * @throws conversation_not_found, device_required, Refusal, EpochRefusal
 */
export async function prepareEpoch(
  { directory, conversationEpochs }: Preparing,
  request: { readonly userId: UserId; readonly conversationId: ConversationId; readonly sessionId: string | undefined },
  upload: EpochUpload,
): Promise<PreparedEpoch> {
  const { userId, conversationId } = request;
  const header = readHeader(upload.statement);
  if (!equalBytes(header.conversation, fromUuid(conversationId)))
    throw new Refusal('subject', 'a header of another conversation');
  if (!upload.lost && !equalBytes(header.account, fromUuid(userId)))
    throw new Refusal('subject', 'a header of another account');
  const names = namesIn(header, upload);
  const preview = await conversationEpochs.preview(conversationId, names);
  if (!preview) throw conversationNotFound();
  const members = readRoster(upload.roster).map(({ account }) => toUuid(account) as UserId);
  const accounts = [...new Set([userId, ...members, ...names.map((name) => name.userId)])];
  // A personal access token has no session, and so no device.
  const session = parseId<SessionId>(request.sessionId);
  const states = await directory.statesOf(queriesFor(accounts, names, preview.lists), session);
  const device = states.get(userId)?.device;
  if (!upload.lost && !device) throw deviceRequired();
  return { upload, header, states, device, removals: preview.removals };
}

/**
 * Runs a change of members or settings with the epoch that goes with it, if it has one.
 *
 * @throws epoch_refused, epoch_stale, device_required
 */
export async function withChangeEpoch<T>(
  dependencies: Preparing & Pick<EpochDependencies, 'onCommit'>,
  {
    userId,
    conversationId,
    epoch,
  }: {
    readonly userId: UserId;
    readonly conversationId: ConversationId;
    readonly epoch: EpochOfChange | undefined;
  },
  change: (epoch: ChangeEpoch | undefined) => Promise<T>,
): Promise<T> {
  if (!epoch) return change(undefined);
  const kind = 'change';
  try {
    const upload = readEpoch(epoch.epoch, false);
    const prepared = await prepareEpoch(dependencies, { userId, conversationId, sessionId: epoch.sessionId }, upload);
    const done = await change({ userId, prepared });
    dependencies.onCommit('accepted', kind);
    return done;
  } catch (error) {
    const refused = toEpochRefused(error);
    if (refused !== error) dependencies.onCommit('refused', kind);
    throw refused;
  }
}
