import { Refusal } from '@nolo/e2ee';
import { parseActorId, parseId, type SessionId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import { limits } from '@nolo/rules';
import { EpochRefusal } from '../domain/epochs.ts';
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

type Methods = typeof EpochServiceDefinition.methods;

const maxNumber = 2_147_483_647;

/** Returns a number that an epoch can have; undefined for any other. */
const readNumber = (n: number | undefined): number | undefined =>
  n !== undefined && Number.isInteger(n) && n >= 0 && n <= maxNumber ? n : undefined;

/** Converts a refusal to an error with its reason. Returns anything else as it is. */
function toEpochRefused(error: unknown): unknown {
  if (!(error instanceof Refusal) && !(error instanceof EpochRefusal)) return error;
  const reason = error instanceof EpochRefusal ? error.reason : error.code;
  const message = 'This change of keys cannot be stored.';
  return createChatError('invalid', 'epoch_refused', message, { reason }, { reason: error.message });
}

function toNackRefused(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const message = 'This request for a key cannot be stored.';
  return createChatError('invalid', 'nack_refused', message, { reason: error.code }, { reason: error.message });
}

export function commitEpoch({
  clock,
  directory,
  epochs,
  onCommit,
}: EpochDependencies): RpcHandler<Methods['commitEpoch']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    try {
      const upload = readEpoch(request.epoch, request.lost ?? false);
      const ask = () =>
        upload.lost
          ? requireLists(directory, actorId, request.sessionId, upload)
          : requireDevice(directory, actorId, request.sessionId);
      // Identity may settle a list that waits for another epoch of this vault, so nothing is locked yet.
      const keys = readListState(request.keys) ?? (await ask());
      const committed = await epochs.commit(actorId, conversationId, upload, keys, clock.now());
      onCommit(committed.outcome);
      if (committed.outcome === 'missing') throw conversationNotFound();
      if (committed.outcome === 'stale') throw epochStale(committed.n);
      return { n: committed.n, hash: Buffer.from(committed.hash) };
    } catch (error) {
      const refused = toEpochRefused(error);
      if (refused !== error) onCommit('refused');
      throw refused;
    }
  };
}

export function listEpochs({ directory, epochs }: EpochDependencies): RpcHandler<Methods['listEpochs']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = readConversationId(request.conversationId);
    const session = parseId<SessionId>(request.sessionId);
    const keys = session && (await directory.stateOf(actorId, session));
    const page = await epochs.list(actorId, conversationId, keys?.device, readNumber(request.from) ?? 0);
    if (!page) throw conversationNotFound();
    const found = page.items.map(({ body, signature, box, answer, recoveryBox, previousSecret, ...epoch }) => ({
      ...epoch,
      header: { body, signature },
      box: box ?? undefined,
      answer: answer ?? undefined,
      recoveryBox: recoveryBox ?? undefined,
      previousSecret: previousSecret ?? undefined,
    }));
    return { epochs: found, more: page.more };
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
