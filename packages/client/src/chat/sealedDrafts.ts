import type { Message } from '@nolo/api';
import { sealEnvelope, toEnvelopeFields, type MessageContent } from '@nolo/rules';
import type { DraftTarget } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { HeldError } from './heldError.ts';
import { findKnownMessage } from './hiding.ts';
import type { RowOpener } from './rowOpener.ts';
import { openingOf, type StoredMessage } from './rowOpening.ts';
import { toFileFields, type FilesOf } from './sealedFiles.ts';
import { wasSealed } from './sealedRows.ts';
import { asSent } from './rowForms.ts';

type SealedFields = Partial<MessageContent> & Pick<MessageContent, 'content'> & FilesOf;

/**
 * Returns the content that is sealed: that of a message, whether it was forwarded, and which file is which. What the
 * seal binds beside it are only the ids of all files.
 */
export function toSealedContent({ content, ...fields }: SealedFields, forwarded: boolean): string {
  const { fileName, voiceMessageDuration, voiceMessageTranscription, mediaInfo, linkPreview, extra } = fields;
  const envelope = toEnvelopeFields({
    content,
    fileName,
    voiceMessageDuration,
    voiceMessageTranscription,
    mediaInfo,
    linkPreview,
    extra,
  });
  return sealEnvelope({ ...envelope, ...toFileFields(fields), ...(forwarded && { forwarded }) });
}

/** Returns each account once, in ascending order. */
export const sortedIds = (ids: readonly string[] = []): string[] => [...new Set(ids)].toSorted();

/**
 * Returns a message as a draft names it, or null if nothing of it is left to refer to.
 *
 * @throws HeldError while its key is missing
 */
export function targetOf(message: StoredMessage): DraftTarget | null {
  const opening = openingOf(message);
  const messageId = message.id;
  switch (opening?.state) {
    case 'open':
      if (opening.rowHash === null) throw new HeldError({ state: 'waiting_for_key' });
      return { messageId, rowHash: opening.rowHash };
    case 'deleted':
      return { messageId, rowHash: opening.rowHash };
    case undefined:
    case 'plain':
      return wasSealed(message) ? null : { messageId, rowHash: null };
    case 'closed':
    case 'waiting':
      throw new HeldError({ state: 'waiting_for_key' });
    case 'refused':
    case 'earlier':
    case 'expired':
    case 'removed':
      return null;
  }
}

/** Returns the message that a reply refers to, opened. */
export async function findRepliedMessage(
  { api, store }: Pick<ChatBase, 'api' | 'store'>,
  opener: RowOpener,
  id: string,
  seq: number,
): Promise<StoredMessage | undefined> {
  const known =
    findKnownMessage(store.getState(), id, seq) ??
    (await api.listMessages(id, { before: seq + 1, limit: 1 })).items.find((message) => message.seq === seq);
  return known && (await opener.openRows([known]))[0];
}

/** Returns the row hash of the newest message that the user was shown. */
export function findNewestSeen({ store }: Pick<ChatBase, 'store'>, id: string): string | null {
  const { conversations, timelines } = store.getState();
  const last = conversations[id]?.lastMessage;
  const shown: readonly StoredMessage[] = timelines[id]?.messages ?? (last ? [last] : []);
  for (const message of shown.toReversed()) {
    const opening = openingOf(message);
    if (opening?.state === 'open' && opening.rowHash !== null) return opening.rowHash;
  }
  return null;
}

/** Returns the number that the next version of a message has. */
export const nextVersionOf = (message: Message): number => (asSent(message).seal?.version ?? 0) + 1;
