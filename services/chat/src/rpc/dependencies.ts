import type { Clock } from '@nolo/kit/clock';
import type { Announce, ConversationStore, MemberStore, MessageStore, PreferenceStore } from '../domain/ports.ts';
import type { SendQueue } from '../domain/sendQueue.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly conversations: ConversationStore;
  readonly messages: MessageStore;
  readonly members: MemberStore;
  readonly preferences: PreferenceStore;
  readonly sendQueue: SendQueue;
  readonly announce: Announce;
  /** Counts new messages. */
  readonly onStored: (messageType: string) => void;
  /** Called after every commit that wrote to the outbox, so that frames leave now and not at the next poll. */
  readonly wake: () => void;
}
