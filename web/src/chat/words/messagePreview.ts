import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import { isBeingOpened, isSealed } from '@nolo/client/chat/sealedRows';
import type { StoredMessage } from '@nolo/client/chat/rowOpening';
import { rowNoteOf } from './rowNotes.ts';
import type { PeopleNames } from './peopleNames.ts';
import type { PendingMessage } from '@nolo/client/chat/timeline';
import { describeCallOutcome } from './callWords.ts';
import { toPlainExcerpt } from './text/toPlainExcerpt.ts';
import type { Translate } from '../../i18n/texts.ts';
import type { callTexts } from './callTexts.ts';
import type { groupTexts } from './groupTexts.ts';

/** Maximum characters, more than a line shows or a screen reader should read. */
const maxPreviewLength = 500;

/** Removes line breaks and markup. */
const oneLine = (text: string): string => toPlainExcerpt(text, maxPreviewLength);

/** Combines the kind of message with its caption or transcript. */
function withWords(what: string, words: string, t: Translate): string {
  const text = oneLine(words);
  return text === '' ? what : t('chats.withWords', { what, text });
}

/** Fields of a message that its summary uses. */
type Summarised = Pick<
  StoredMessage,
  'messageType' | 'senderId' | 'content' | 'sealed' | 'opening' | 'fileName' | 'voiceMessageTranscription' | 'deletedAt'
>;

/**
 * Preview line under a conversation's name: the sender (with colon and space) and the text. They are separate, because
 * a truncated line loses its end only if all of it has one direction.
 */
export interface MessagePreview {
  /** Empty if no sender is named. */
  readonly lead: string;
  readonly text: string;
}

const ownLead = (t: Translate): string => t('chats.ownMessage', { text: '' });

/** Returns the preview of an unsent message for its conversation's row. */
export function toPendingMessagePreview(
  pending: PendingMessage,
  t: Translate<typeof callTexts>,
  names: PeopleNames,
): MessagePreview {
  const media = pending.extras?.media;
  const message: Summarised = {
    messageType: media?.messageType ?? 'text',
    senderId: names.selfId,
    content: pending.content,
    fileName: media?.name ?? null,
    voiceMessageTranscription: media?.transcription ?? null,
    deletedAt: null,
  };
  return { lead: ownLead(t), text: summarizeMessage(message, t, names) };
}

/** Returns what stands in place of a row that is not shown as a message; null for others. */
function summarizeNote(message: Summarised, t: Translate): string | null {
  const note = rowNoteOf(message);
  switch (note) {
    case null:
      return isBeingOpened(message) ? '…' : null;
    case 'waiting':
      return t('chats.waitingForKey');
    case 'earlier':
      return t('chats.beforeYouJoined');
    case 'earlierDraft':
      return t('chats.writtenBeforeYouJoined');
    case 'removed':
      return t('chats.removedByServer');
    case 'late':
      return t('chats.late');
    case 'version':
      return t('chats.updateToRead');
    default:
      return t('chats.refused');
  }
}

/** Summarizes a message in one line, for the list and for screen reader announcements. */
export function summarizeMessage(message: Summarised, t: Translate<typeof callTexts>, names: PeopleNames): string {
  const note = summarizeNote(message, t);
  if (note !== null) return note;
  if (message.deletedAt !== null) return t('chats.messageDeleted');
  if (isSealed(message)) return t('chats.updateToRead');
  switch (message.messageType) {
    case 'text':
      return oneLine(message.content);
    case 'image':
      return withWords(t('chats.photo'), message.content, t);
    case 'video':
      return withWords(t('chats.video'), message.content, t);
    case 'file':
      return withWords(message.fileName ?? t('chats.file'), message.content, t);
    case 'voice':
      return withWords(t('chats.voiceMessage'), message.voiceMessageTranscription ?? '', t);
    case 'system': {
      const systemMessage = readSystemMessage(message.content);
      if (systemMessage === null) return t('chats.systemMessage');
      if (systemMessage.kind === 'call')
        return describeCallOutcome(systemMessage, message.senderId === names.selfId, t);
      return names.describeSystemMessage?.(systemMessage, message.senderId) ?? t('chats.systemMessage');
    }
  }
}

/** Returns the preview line under a conversation's name. With several people, it names the sender. */
export function toMessagePreview(
  message: Message | null,
  t: Translate<typeof callTexts | typeof groupTexts>,
  names: PeopleNames,
  several: boolean,
): MessagePreview {
  if (message === null) return { lead: '', text: t('chats.noMessagesYet') };
  const text = summarizeMessage(message, t, names);
  if (message.messageType === 'system' || message.deletedAt !== null || rowNoteOf(message)) return { lead: '', text };
  if (message.senderId === names.selfId) return { lead: ownLead(t), text };
  return { lead: several ? t('group:preview', { name: names.shortNameOf(message.senderId), text: '' }) : '', text };
}
