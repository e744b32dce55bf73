import { Check, CheckCheck, Clock3 } from 'lucide-react';
import type { Conversation } from '@nolo/api';
import { deliveryOf } from '@nolo/client/chat/chatStore';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { deliveryIconClasses, readTickClasses } from './bubbleStyles.ts';

export type DeliveryState = 'sending' | 'waiting' | 'sent' | 'delivered' | 'read';

const icons = { sending: Clock3, waiting: Clock3, sent: Check, delivered: CheckCheck, read: CheckCheck };

/** Delivery state of the user's own message: a clock, one tick, two ticks, two filled ones. */
export function DeliveryStateIcon({ state }: { state: DeliveryState }) {
  const { t } = useMessageRowTexts();
  const Icon = icons[state];
  return (
    <Icon
      role="img"
      aria-hidden={false}
      aria-label={t(`conversation:state.${state}`)}
      data-state={state}
      strokeWidth={2.25}
      className={
        state === 'read'
          ? readTickClasses
          : state === 'sending' || state === 'waiting'
            ? 'size-3.5'
            : deliveryIconClasses
      }
    />
  );
}

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
