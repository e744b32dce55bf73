import { readHeader, Refusal } from '@nolo/e2ee';
import { parseActorId, parseId, type SessionId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { AcceptedEpoch, CommitEpochRequest, EpochServiceDefinition } from '@nolo/proto/epochs';
import { limits, type MemberRole } from '@nolo/rules';
import { roleNumbers } from '../domain/epochMembers.ts';
import type { CommitOutcome, EpochUpload } from '../domain/epochPorts.ts';
import { conversationNotFound, createChatError, epochStale } from '../errors.ts';
import { readListState } from '../keyDirectory.ts';
import type { EpochDependencies } from './epochDependencies.ts';
import {
  readBytes,
  readConversationId,
  readDeviceId,
  readEpoch,
  readStatement,
  requireDevice,
  requireLists,
} from './epochRequests.ts';
import { prepareEpoch, toEpochRefused } from './prepareEpoch.ts';

type Methods = typeof EpochServiceDefinition.methods;

const maxNumber = 2_147_483_647;

/** Returns a number that an epoch can have; undefined for any other. */
const readNumber = (n: number | undefined): number | undefined =>
  n !== undefined && Number.isInteger(n) && n >= 0 && n <= maxNumber ? n : undefined;

function toNackRefused(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const message = 'This request for a key cannot be stored.';
  return createChatError('invalid', 'nack_refused', message, { reason: error.code }, { reason: error.message });
}

/** Begins an epoch of a vault, for identity or a device of its account. */
async function commitVaultEpoch(
  { clock, directory, epochs }: EpochDependencies,
  request: CommitEpochRequest,
  upload: EpochUpload,
): Promise<CommitOutcome> {
  const actorId = parseActorId(request.actorId ?? '');
  const ask = () =>
    upload.lost
      ? requireLists(directory, actorId, request.sessionId, upload)
      : requireDevice(directory, actorId, request.sessionId);
  // Identity may settle a list that waits for another epoch of this vault, so nothing is locked yet.
  const keys = readListState(request.keys) ?? (await ask());
  return epochs.commit(actorId, readConversationId(request.conversationId), upload, keys, clock.now());
}

/** Begins an epoch of a direct conversation or a group. */
async function commitConversationEpoch(
  dependencies: EpochDependencies,
  request: CommitEpochRequest,
  upload: EpochUpload,
): Promise<CommitOutcome> {
  const userId = parseActorId(request.actorId ?? '');
  const conversationId = readConversationId(request.conversationId);
  const { sessionId } = request;
  const prepared = await prepareEpoch(dependencies, { userId, conversationId, sessionId }, upload);
  return dependencies.conversationEpochs.commit(userId, conversationId, prepared, dependencies.clock.now());
}

export function commitEpoch(dependencies: EpochDependencies): RpcHandler<Methods['commitEpoch']> {
  const { onCommit, send } = dependencies;
  const commit = async (request: CommitEpochRequest): Promise<AcceptedEpoch> => {
    let kind: 'vault' | 'conversation' = 'vault';
    try {
      const upload = readEpoch(request.epoch, request.lost ?? false);
      const isVault = request.keys !== undefined || readHeader(upload.statement).kind === 0;
      if (!isVault) kind = 'conversation';
      const committed = await (isVault ? commitVaultEpoch : commitConversationEpoch)(dependencies, request, upload);
      onCommit(committed.outcome, kind);
      if (committed.outcome === 'missing') throw conversationNotFound();
      if (committed.outcome === 'stale') throw epochStale(committed.n);
      return { n: committed.n, hash: Buffer.from(committed.hash) };
    } catch (error) {
      const refused = toEpochRefused(error);
      if (refused !== error) onCommit('refused', kind);
      throw refused;
    }
  };
  return async (request, context) => {
    const epoch = await commit(request);
    if (!request.message) return epoch;
    const { actorId = '', conversationId = '' } = request;
    // The epoch stays if the message is refused: the client then sends it again alone.
    return { ...epoch, message: await send({ ...request.message, actorId, conversationId }, context) };
  };
}

export function listEpochs({ directory, epochs }: EpochDependencies): RpcHandler<Methods['listEpochs']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    const session = parseId<SessionId>(request.sessionId);
    const keys = session && (await directory.stateOf(actorId, session));
    const from = readNumber(request.from) ?? 0;
    const withRoster = request.withRoster ?? false;
    const page = await epochs.list(actorId, conversationId, keys?.device, { from, withRoster });
    if (!page) throw conversationNotFound();
    const found = page.items.map(({ n, hash, body, signature, roster, box, answer, ...epoch }) => ({
      n,
      hash,
      header: { body, signature },
      roster: roster ?? undefined,
      box: box ?? undefined,
      answer: answer ?? undefined,
      recoveryBox: epoch.recoveryBox ?? undefined,
      previousSecret: epoch.previousSecret ?? undefined,
      seq: epoch.seq ?? undefined,
      changeSeq: epoch.changeSeq ?? undefined,
      // Vaults have no order of messages.
      at: epoch.seq === null ? undefined : epoch.at,
    }));
    return { epochs: found, more: page.more };
  };
}

export function getEpochTarget({
  clock,
  conversationEpochs,
}: EpochDependencies): RpcHandler<Methods['getEpochTarget']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    const target = await conversationEpochs.target(actorId, conversationId, clock.now());
    if (!target) throw conversationNotFound();
    const { type, admission, timer, leaves, additions, n, removalPending } = target;
    const roleOf = (role: MemberRole) => (type === 'group' ? roleNumbers[role] : 0);
    const members = target.members.map(({ userId, role }) => ({ userId, role: roleOf(role) }));
    return {
      type,
      members,
      admission,
      timer,
      leaves: [...leaves],
      additions: [...additions],
      n: n ?? undefined,
      removalPending,
    };
  };
}

export function sendNack({ clock, directory, nacks, onNack }: EpochDependencies): RpcHandler<Methods['sendNack']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    const keys = await requireDevice(directory, actorId, request.sessionId);
    try {
      const statement = readStatement(request.nack, limits.nackBytes);
      const outcome = await nacks.add(actorId, conversationId, statement, keys, clock.now());
      if (outcome === 'missing') throw conversationNotFound();
      if (outcome === 'stored') onNack('sent');
      return {};
    } catch (error) {
      throw toNackRefused(error);
    }
  };
}

export function listNacks({ directory, nacks }: EpochDependencies): RpcHandler<Methods['listNacks']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    await requireDevice(directory, actorId, request.sessionId);
    const found = await nacks.list(actorId, conversationId);
    if (!found) throw conversationNotFound();
    return { nacks: found };
  };
}

const nackNotFound = () =>
  createChatError('not_found', 'nack_not_found', 'This request for a key was answered, or is gone.');

export function answerNack({ directory, nacks, onNack }: EpochDependencies): RpcHandler<Methods['answerNack']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    const n = readNumber(request.n);
    const { device: by } = await requireDevice(directory, actorId, request.sessionId);
    try {
      const deviceId = readDeviceId(request.box?.deviceId);
      const box = readBytes(request.box?.box, limits.epochBoxBytes);
      if (n === undefined) throw nackNotFound();
      const outcome = await nacks.answer(actorId, conversationId, { n, deviceId, box, by });
      if (outcome === 'missing') throw conversationNotFound();
      if (outcome === 'nack_missing') throw nackNotFound();
      onNack('answered');
      return {};
    } catch (error) {
      throw toNackRefused(error);
    }
  };
}
