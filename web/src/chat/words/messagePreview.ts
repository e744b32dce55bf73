import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import type { TFunction } from 'i18next';
import type { PeopleNames } from './peopleNames.ts';
import type { PendingMessage } from '../engine/timeline.ts';
import { callSummary } from './callWords.ts';
import { plainExcerpt } from './text/plainExcerpt.ts';

/** More than a line shows, or than anybody wants read aloud. */
const mostCharacters = 500;

/** In one line, and without the marks around words. */
const oneLine = (text: string): string => plainExcerpt(text, mostCharacters);

/** What it is, with what is said about it or in it. */
function withWords(what: string, words: string, t: TFunction): string {
  const text = oneLine(words);
  return text === '' ? what : t('chats.withWords', { what, text });
}

/** What of a message its line is made of. */
type Summarised = Pick<
  Message,
  'messageType' | 'senderId' | 'content' | 'fileName' | 'voiceMessageTranscription' | 'deletedAt'
>;

/**
 * The line under a conversation's name: who wrote, with the colon and the space after it, and what. Apart, for a line that
 * is cut loses its end only where all of it reads in one direction.
 */
export interface Preview {
  /** Empty where nobody is named. */
  readonly lead: string;
  readonly text: string;
}

const ownLead = (t: TFunction): string => t('chats.ownMessage', { text: '' });

/** A message that has not left yet, as its conversation's row shows it. */
export function pendingPreview(pending: PendingMessage, t: TFunction, names: PeopleNames): Preview {
  const media = pending.extras?.media;
  const message: Summarised = {
    messageType: media?.messageType ?? 'text',
    senderId: names.selfId,
    content: pending.content,
    fileName: media?.name ?? null,
    voiceMessageTranscription: media?.transcription ?? null,
    deletedAt: null,
  };
  return { lead: ownLead(t), text: messageSummary(message, t, names) };
}

/** A message in one line, as the list and a screen reader's announcement show it. */
export function messageSummary(message: Summarised, t: TFunction, names: PeopleNames): string {
  if (message.deletedAt !== null) return t('chats.messageDeleted');
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
      const note = readSystemMessage(message.content);
      if (note === null) return t('chats.systemMessage');
      if (note.kind === 'call') return callSummary(note, message.senderId === names.selfId, t);
      return names.noteText?.(note, message.senderId) ?? t('chats.systemMessage');
    }
  }
}

/** The line under a conversation's name; among several people it says who wrote. */
export function messagePreview(message: Message | null, t: TFunction, names: PeopleNames, several: boolean): Preview {
  if (message === null) return { lead: '', text: t('chats.noMessagesYet') };
  const text = messageSummary(message, t, names);
  if (message.messageType === 'system' || message.deletedAt !== null) return { lead: '', text };
  if (message.senderId === names.selfId) return { lead: ownLead(t), text };
  return { lead: several ? t('group.preview', { name: names.shortNameOf(message.senderId), text: '' }) : '', text };
}
