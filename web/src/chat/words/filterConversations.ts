import type { Conversation, Message } from '@nolo/api';
import { foldText } from '@nolo/rules';
import { conversationName } from './conversationName.ts';
import { summarizeMessage } from './messagePreview.ts';
import type { PeopleNames } from './peopleNames.ts';
import type { Translate } from '../../i18n/texts.ts';
import type { callTexts } from './callTexts.ts';

/** Returns a message's text as a row shows it, and its full text if the row shows only the beginning. */
function textsOf(
  message: Message | null,
  t: Translate<typeof callTexts>,
  names: PeopleNames,
): readonly (string | null)[] {
  if (message === null) return [];
  const shown = summarizeMessage(message, t, names);
  if (message.deletedAt !== null || message.messageType === 'system') return [shown];
  return [shown, message.content, message.voiceMessageTranscription];
}

/** Returns the conversations whose name or last message contains the query, in list order (spec section 2). */
export function filterConversations(
  conversations: readonly Conversation[],
  query: string,
  t: Translate<typeof callTexts>,
  names: PeopleNames,
): readonly Conversation[] {
  const wanted = foldText(query.trim());
  if (wanted === '') return conversations;
  const has = (text: string | null) => text !== null && foldText(text).includes(wanted);
  return conversations.filter(
    (row) => has(conversationName(row, t)) || textsOf(row.lastMessage, t, names).some((text) => has(text)),
  );
}
