import type { Message } from '@nolo/api';
import { foldText } from '@nolo/rules';
import { searchedTexts } from './searchedTexts.ts';

/* A message never changes in place, so it is folded once however often somebody searches. */
const known = new WeakMap<Message, string>();

function textOf(message: Message): string {
  const cached = known.get(message);
  if (cached !== undefined) return cached;
  const text = foldText(searchedTexts(message).join('\n'));
  known.set(message, text);
  return text;
}

/** The `seq` of those that hold the words, newest first. */
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
