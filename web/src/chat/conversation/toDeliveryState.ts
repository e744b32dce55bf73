import type { Conversation } from '@nolo/api';
import { deliveryOf } from '../engine/chatStore.ts';
import type { DeliveryState } from './DeliveryStateIcon.tsx';
import type { MessageListEntry } from '../engine/entries.ts';

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
