import type { Message } from '@nolo/api';
import { foldText } from '@nolo/rules';
import { collectSearchableTexts } from './collectSearchableTexts.ts';

/* Messages are immutable, so each is folded only once for all searches. */
const known = new WeakMap<Message, string>();

function textOf(message: Message): string {
  const cached = known.get(message);
  if (cached !== undefined) return cached;
  const text = foldText(collectSearchableTexts(message).join('\n'));
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
