import type { ServiceEvent } from '@nolo/kit/events';
import type { Clock } from '@nolo/kit/clock';
import { parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { HidingStore, MarkStore } from '../domain/markPorts.ts';
import { takeLeave } from '../domain/takeLeave.ts';
import type { GroupStore, HeldStore } from '../domain/groupPorts.ts';
import type { BlockStore, MemberStore, MessageStore, PreferenceStore } from '../domain/ports.ts';

export const userDeleted = 'event.identity.user_deleted';

const payload = z.object({ userId: z.uuid() });

const conversationsAtOnce = 100;
const messagesAtOnce = 200;

/**
 * Takes a person out of every conversation, leaves tombstones of what they wrote, and takes their reactions back. Done again it finds nothing left
 * to do, and interrupted it goes on where it was, because every step is a transaction of its own.
 */
export function onUserDeleted(dependencies: {
  members: MemberStore;
  groups: GroupStore;
  held: HeldStore;
  messages: MessageStore;
  marks: MarkStore;
  hiding: HidingStore;
  preferences: PreferenceStore;
  blocks: BlockStore;
  clock: Clock;
  wake: () => void;
}) {
  const { members, groups, held, messages, marks, hiding, preferences, blocks, clock, wake } = dependencies;

  /** A group is handed on before its owner is gone; every other conversation is just left. */
  const leave = async (userId: UserId, conversationId: ConversationId): Promise<boolean> => {
    const now = clock.now();
    const left = await groups.change(conversationId, [userId], now, async (group) => {
      const inside = group.standing(userId).role !== null;
      if (inside) await takeLeave(group, userId, true);
      return inside;
    });
    if (left !== undefined) await held.dropOf(userId, conversationId);
    return left ?? (await members.leave(userId, conversationId, now));
  };

  /** What was sent in pages by its place; what the server wrote for them comes again until all of it is erased. */
  const eraseMessages = async (userId: UserId) => {
    let after: string | undefined;
    for (;;) {
      const page = await messages.writtenBy(userId, after, messagesAtOnce);
      const left = Map.groupBy(
        page.filter(({ erased }) => !erased),
        ({ conversationId }) => conversationId,
      );
      for (const [conversationId, some] of left) {
        const seqs = some.map(({ seq }) => seq);
        if ((await messages.eraseBy(userId, conversationId, seqs, clock.now())) > 0) wake();
      }
      if (page.length < messagesAtOnce) return;
      after = page.findLast(({ place }) => place !== null)?.place ?? after;
    }
  };

  return async (event: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(payload.safeParse(event.data).data?.userId);
    if (!userId) throw new Error('The event cannot be understood.');
    let after: ConversationId | undefined;
    for (;;) {
      const conversations = await members.conversationsOf(userId, after, conversationsAtOnce);
      for (const conversationId of conversations) {
        // First every membership, so that nothing is written while the old messages are erased.
        if (await leave(userId, conversationId)) wake();
        for (;;) {
          const count = await marks.dropReactionsOf(userId, conversationId, messagesAtOnce, clock.now());
          if (count > 0) wake();
          if (count < messagesAtOnce) break;
        }
      }
      after = conversations.at(-1);
      if (!after || conversations.length < conversationsAtOnce) break;
    }
    await eraseMessages(userId);
    await marks.dropStarsOf(userId);
    await hiding.forget(userId);
    await groups.forget(userId);
    await preferences.forget(userId);
    await blocks.forget(userId);
  };
}
