import type { Message, NewEpoch, NewSealed } from '@nolo/api';
import type { Conversations, DraftTarget, SealedDraft } from '../keys/conversations/types.ts';
import { ApiError } from '../http/request.ts';
import type { ChatBase } from './chatBase.ts';
import { hasCode, HeldError } from './heldError.ts';
import { findMessageById } from './hiding.ts';
import type { ChatApi, MessageExtras, SealedApi } from './ports.ts';
import type { RowOpener } from './rowOpener.ts';
import { findNewestSeen, nextVersionOf, sortedIds, targetOf, toSealedContent } from './sealedDrafts.ts';
import { fileIdsOf } from './sealedFiles.ts';
import type { StoredMessage } from './rowOpening.ts';
import { wasSealed } from './sealedRows.ts';
import { isSealedInVain, maxSealings, orHeld } from './sealedSending.ts';
import type { Standings } from './standings.ts';
import { asSent } from './rowForms.ts';

/** Something that the user does to a message: the draft to seal, and the request with what was sealed. */
interface SealedAction<T = Message> {
  readonly draft: SealedDraft;
  send(sealed: NewSealed): Promise<T>;
}

/** Seals actions and sends them. */
export function createActionSealer({ failureOf }: ChatBase, port: Conversations, api: SealedApi) {
  /** Sealed actions without a definite answer. The same bytes go again if the user repeats the action. */
  const unanswered = new Map<string, { readonly epoch: NewEpoch | null; send(): Promise<unknown> }>();

  const seal = async <T>({ draft, send }: SealedAction<T>) => {
    const result = await orHeld(port.seal(draft));
    if (result.state !== 'sealed')
      throw new HeldError(result.state === 'plain' ? { state: 'blocked', reason: 'refused' } : result);
    return { epoch: result.epoch, send: () => send(result.sealed) };
  };

  /** Seals an action and sends it, and again for each newer epoch. `name` tells it from others on the same message. */
  return async <T>(
    name: string,
    { id, conversationId }: Pick<Message, 'id' | 'conversationId'>,
    newAction: () => Promise<SealedAction<T>>,
  ): Promise<T> => {
    const key = `${id} ${name}`;
    for (let sealings = 0; sealings < maxSealings; sealings++) {
      const action = unanswered.get(key) ?? (await seal(await newAction()));
      unanswered.set(key, action);
      try {
        if (action.epoch) await api.commitEpoch(conversationId, action.epoch);
        const answer = await action.send();
        unanswered.delete(key);
        return answer as T;
      } catch (error) {
        if (failureOf(error).passing) throw error;
        unanswered.delete(key);
        if (!isSealedInVain(error)) throw error;
      }
    }
    throw new ApiError(0, { code: 'epoch_stale' }, 'epoch_stale');
  };
}

interface Parts {
  readonly opener: RowOpener;
  readonly standings: Standings;
  readonly sealedApi: SealedApi;
}

/** Creates the sealed forms of changes of messages. */
function createSealedForms(core: ChatBase, port: Conversations, { opener, standings, sealedApi }: Parts) {
  const { api, newId } = core;
  const openTarget = async (message: StoredMessage): Promise<{ opened: StoredMessage; target: DraftTarget }> => {
    const [opened = message] = await opener.openRows([message]);
    const target = targetOf(opened);
    if (!target) throw new HeldError({ state: 'blocked', reason: 'refused' });
    return { opened, target };
  };

  const act = createActionSealer(core, port, sealedApi);

  const newEdit = async (
    message: StoredMessage,
    text: string,
    { linkPreview, mentions, hasLink, extra }: MessageExtras,
  ): Promise<SealedAction> => {
    const { opened, target } = await openTarget(message);
    const { id, conversationId, messageType } = opened;
    const preview = linkPreview === undefined ? opened.linkPreview : linkPreview;
    const fields = { ...opened, content: text, linkPreview: preview, ...(extra && { extra }) };
    const bound = {
      mentions: sortedIds(mentions ?? opened.mentions),
      hasLink: (hasLink ?? asSent(opened).seal?.hasLink === true) || preview !== null,
    };
    return {
      draft: {
        kind: 'edit',
        conversation: await standings.factsOf(conversationId),
        clientMessageId: opened.clientMessageId ?? newId(),
        content: toSealedContent(fields, opened.forwarded),
        messageType,
        fileIds: fileIdsOf(opened),
        seen: findNewestSeen(core, conversationId),
        target,
        version: nextVersionOf(opened),
        ...bound,
      },
      send: (sealed) => sealedApi.editSealed(id, { encryption: 'epochs', sealed, ...bound }),
    };
  };

  const newAnnotation = async (
    message: StoredMessage,
    clientMessageId: string,
    kind: { kind: 'reaction'; emoji: string } | { kind: 'pin' },
  ): Promise<SealedAction> => {
    const conversation = await standings.factsOf(message.conversationId);
    const { target } = await openTarget(message);
    return {
      draft: { ...kind, conversation, clientMessageId, target },
      send: (sealed) =>
        kind.kind === 'pin'
          ? sealedApi.pinSealed(message.id, { sealed, clientMessageId })
          : sealedApi.reactSealed(message.id, { sealed, clientMessageId }),
    };
  };

  /** Seals a reaction or pin, under one id in all attempts: by that, the port knows that what it sealed was refused. */
  const annotate = (name: string, message: StoredMessage, kind: Parameters<typeof newAnnotation>[2]) => {
    const clientMessageId = newId();
    return act(name, message, () => newAnnotation(message, clientMessageId, kind));
  };

  const editSealed = async (message: StoredMessage, text: string, extras: MessageExtras): Promise<Message> => {
    const answer = await act(`edit ${text}`, message, () => newEdit(message, text, extras));
    await port.acknowledged(message.conversationId, asSent(answer)).catch(() => undefined);
    return answer;
  };

  const reactSealed = (message: StoredMessage, emoji: string): Promise<Message> =>
    annotate(`reaction ${emoji}`, message, { kind: 'reaction', emoji });

  const pinSealed = (message: StoredMessage): Promise<Message> => annotate('pin', message, { kind: 'pin' });

  const deleteSealed = async (message: StoredMessage): Promise<Message> => {
    const { messageId, rowHash } = (await openTarget(message)).target;
    if (rowHash === null) return api.deleteMessage(message.id);
    for (let signings = 0; signings < maxSealings; signings++) {
      const deletion = await orHeld(port.signDeletion(message.conversationId, { messageId, rowHash }));
      try {
        const answer = await sealedApi.deleteSealed(message.id, deletion);
        await port.deletionAcknowledged(message.conversationId, asSent(answer)).catch(() => undefined);
        return answer;
      } catch (error) {
        if (!isSealedInVain(error)) throw error;
      }
    }
    throw new ApiError(0, { code: 'epoch_stale' }, 'epoch_stale');
  };

  return { editSealed, reactSealed, pinSealed, deleteSealed };
}

/**
 * Returns the changes of messages, sealed in sealed conversations: edits, reactions, pins, and deletions.
 * Rejects with the request's error, or with `HeldError` while the conversation takes nothing.
 */
export function createSealedActions(
  core: ChatBase,
  port: Conversations,
  parts: Parts,
): Pick<ChatApi, 'editMessage' | 'react' | 'pinMessage' | 'deleteMessage'> {
  const { api } = core;
  const { standings } = parts;
  const { editSealed, reactSealed, pinSealed, deleteSealed } = createSealedForms(core, port, parts);

  /** Runs the sealed form of an action where the conversation is sealed, and otherwise the plain one. */
  const either = async (
    conversationId: string,
    sealed: () => Promise<Message>,
    plain: () => Promise<Message>,
  ): Promise<Message> => {
    if (await standings.isSealed(conversationId)) return sealed();
    try {
      return await plain();
    } catch (error) {
      if (!hasCode(error, 'encryption_required')) throw error;
      await standings.lookAgain(conversationId);
      return sealed();
    }
  };

  const find = (id: string): StoredMessage | undefined => findMessageById(core.store.getState(), id);

  /** Returns a message in memory. The client cannot tell whether others are sealed, so it sends nothing about them. */
  const requireFound = (id: string): StoredMessage => {
    const message = find(id);
    if (!message) throw new ApiError(0, { code: 'message_not_found' }, 'message_not_found');
    return message;
  };

  return {
    editMessage: (message, text, extras = {}) =>
      either(
        message.conversationId,
        () => editSealed(message, text, extras),
        () => api.editMessage(message, text, extras),
      ),
    async react(id, emoji) {
      const message = requireFound(id);
      return either(
        message.conversationId,
        () => reactSealed(message, emoji ?? ''),
        () => api.react(id, emoji),
      );
    },
    /** Unpinning is never sealed. */
    async pinMessage(id, pinned) {
      if (!pinned) return api.pinMessage(id, false);
      const message = requireFound(id);
      return either(
        message.conversationId,
        () => pinSealed(message),
        () => api.pinMessage(id, true),
      );
    },
    /** Deletes a message for everyone. That of a sealed one is signed. */
    async deleteMessage(id) {
      const message = find(id);
      return message && wasSealed(message) ? deleteSealed(message) : api.deleteMessage(id);
    },
  };
}
