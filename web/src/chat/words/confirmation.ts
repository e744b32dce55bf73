import type { Conversation, Message } from '@nolo/api';
import { isSealedConversation } from '@nolo/client/chat/sealedKnowledge';
import type { ChatState } from '@nolo/client/chat/state';
import type { HeaderLine } from '@nolo/client/keys/conversations/types';
import { readSystemMessage, type SystemMessage } from '@nolo/rules';

/** Comparison of the server's lines about members and settings with the headers of a sealed conversation. */

type Test = (change: HeaderLine['change']) => boolean;

const isAbout =
  (userId: string, ...kinds: readonly string[]): Test =>
  (change) =>
    kinds.includes(change.kind) && 'userId' in change && change.userId === userId;

/** Returns tests for the lines of headers that say what a system message says; null if headers say no such thing. */
function testsFor(systemMessage: SystemMessage | null, senderId: string): readonly Test[] | null {
  switch (systemMessage?.kind) {
    case 'member_added':
      return systemMessage.userIds.map((userId) => isAbout(userId, 'added', 'joined'));
    case 'member_joined':
      return [isAbout(senderId, 'added', 'joined')];
    case 'member_left':
      return [isAbout(senderId, 'left', 'removed')];
    case 'member_removed':
      return [isAbout(systemMessage.userId, 'removed', 'left')];
    case 'role_changed':
    case 'owner_changed':
      return [isAbout(systemMessage.userId, 'role')];
    case 'timer_changed':
      return [({ kind }) => kind === 'timer'];
    case 'settings_changed':
      return systemMessage.settings.isPublic === undefined ? null : [({ kind }) => kind === 'admission'];
    default:
      return null;
  }
}

/** Says if headers confirm what the server says about members and settings in a row; null if they say no such thing. */
export function isConfirmed(
  { content, messageType, senderId, seq }: Message,
  lines: readonly HeaderLine[],
): boolean | null {
  if (messageType !== 'system') return null;
  const tests = testsFor(readSystemMessage(content), senderId);
  // A change and its row are stored together, in one order or the other. The header may also come later.
  return tests && tests.every((test) => lines.some((line) => line.seq >= seq - 1 && test(line.change)));
}

/**
 * Returns true for the server's line about members or settings of a sealed conversation, if no header that this device
 * knows confirms it.
 */
export function isUnconfirmed(
  message: Message,
  { id, sealedFromSeq = null }: Pick<Conversation, 'id' | 'sealedFromSeq'>,
  state: Pick<ChatState, 'conversations' | 'seenSealed' | 'standings' | 'timelines'>,
): boolean {
  if (!isSealedConversation(state, id)) return false;
  const headers = state.standings[id]?.lines ?? [];
  const start = headers[0]?.seq ?? (sealedFromSeq === null ? 0 : sealedFromSeq - 1);
  return message.seq > start && isConfirmed(message, headers) === false;
}
