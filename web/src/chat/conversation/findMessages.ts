import type { Message } from '@nolo/api';

/** Words are found whatever their case and accents. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/* A message never changes in place, so it is folded once however often somebody searches. */
const known = new WeakMap<Message, string>();

function textOf(message: Message): string {
  const cached = known.get(message);
  if (cached !== undefined) return cached;
  const { content, fileName, voiceMessageTranscription } = message;
  const text = folded([content, fileName, voiceMessageTranscription].filter(Boolean).join('\n'));
  known.set(message, text);
  return text;
}

/** The `seq` of those that hold the words, newest first. */
export function findMessages(messages: readonly Message[], query: string): readonly number[] {
  const wanted = folded(query.trim());
  if (wanted === '') return [];
  return messages
    .filter(
      (message) => message.deletedAt === null && message.messageType !== 'system' && textOf(message).includes(wanted),
    )
    .map(({ seq }) => seq)
    .toReversed();
}
