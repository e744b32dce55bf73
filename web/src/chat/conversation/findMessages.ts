import type { Message } from '@nolo/api';
import { foldText } from '@nolo/rules';
import { stripMarkup } from '../words/text/toPlainExcerpt.ts';

/* Messages are immutable, so each is folded only once for all searches. */
const known = new WeakMap<Message, string>();

/** Returns the searchable text of a message: its text, file name, and transcript. */
function textOf(message: Message): string {
  const cached = known.get(message);
  if (cached !== undefined) return cached;
  // The file name of a voice note is never visible.
  const name = message.messageType === 'voice' ? null : message.fileName;
  const texts = [stripMarkup(message.content), name, message.voiceMessageTranscription];
  const text = foldText(texts.filter(Boolean).join('\n'));
  known.set(message, text);
  return text;
}

/** Returns the `seq` of the messages that contain the query, newest first. */
export function findMessages(messages: readonly Message[], query: string): readonly number[] {
  const wanted = foldText(query.trim());
  if (wanted === '') return [];
  return messages
    .filter(
      (message) => message.deletedAt === null && message.messageType !== 'system' && textOf(message).includes(wanted),
    )
    .map(({ seq }) => seq)
    .toReversed();
}
