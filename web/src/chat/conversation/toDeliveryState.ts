import type { Conversation } from '@nolo/api';
import { deliveryOf } from '@nolo/client/chat/chatStore';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { DeliveryState } from './DeliveryStateIcon.tsx';

/** Returns an entry's delivery state. Returns null for other people's messages and for rejected ones. */
export function toDeliveryState(
  entry: MessageListEntry,
  conversation: Conversation,
  selfId: string,
): DeliveryState | null {
  if (entry.senderId !== selfId) return null;
  if (entry.pending) return entry.pending.state === 'failed' ? null : entry.pending.state;
  return entry.message ? deliveryOf(entry.message, conversation, selfId) : null;
}
