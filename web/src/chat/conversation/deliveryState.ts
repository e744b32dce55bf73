import type { Conversation } from '@nolo/api';
import { deliveryOf } from '../engine/chatStore.ts';
import type { DeliveryState } from './DeliveryMark.tsx';
import type { Entry } from '../engine/entries.ts';

/** How far an entry got, or null where that is nothing to show: another's message, or one that was refused. */
export function deliveryState(entry: Entry, conversation: Conversation, selfId: string): DeliveryState | null {
  if (entry.senderId !== selfId) return null;
  if (entry.pending) return entry.pending.state === 'failed' ? null : entry.pending.state;
  return entry.message ? deliveryOf(entry.message, conversation, selfId) : null;
}
