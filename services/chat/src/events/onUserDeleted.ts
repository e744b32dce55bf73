import type { ServiceEvent } from '@nolo/kit/events';
import type { Clock } from '@nolo/kit/clock';
import { parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { HidingStore, MessageAnnotationStore } from '../domain/annotationPorts.ts';
import type { EpochStore } from '../domain/epochPorts.ts';
import { leaveGroupOrHandOver } from '../domain/leaveGroupOrHandOver.ts';
import type { GroupStore, UnapprovedMessageStore } from '../domain/groupPorts.ts';
import type { BlockStore, MemberStore, MessageStore, PreferenceStore } from '../domain/ports.ts';

export const userDeletedSubject = 'event.identity.user_deleted';

const payload = z.object({ userId: z.uuid() });

const conversationsAtOnce = 100;
const messagesAtOnce = 200;

/**
 * Removes a person from every conversation, erases their messages and removes their reactions. It is idempotent and
 * resumes after an interruption because every step is a separate transaction.
 */
export function onUserDeleted(dependencies: {
  members: MemberStore;
  groups: GroupStore;
  unapprovedMessages: UnapprovedMessageStore;
  messages: MessageStore;
  annotations: MessageAnnotationStore;
  hiding: HidingStore;
  preferences: PreferenceStore;
  blocks: BlockStore;
  epochs: Pick<EpochStore, 'forget'>;
  clock: Clock;
  wake: () => void;
}) {
  const { members, groups, unapprovedMessages, messages, annotations, hiding, preferences, blocks, epochs } =
    dependencies;
  const { clock, wake } = dependencies;

  /** Leaves a conversation; a group is handed over before its owner leaves. */
  const leave = async (userId: UserId, conversationId: ConversationId): Promise<boolean> => {
    const now = clock.now();
    const left = await groups.change(conversationId, [userId], now, async (group) => {
      const inside = group.standing(userId).role !== null;
      if (inside) await leaveGroupOrHandOver(group, userId, true);
      return inside;
    });
    if (left !== undefined) await unapprovedMessages.dropOf(userId, conversationId);
    return left ?? (await members.leave(userId, conversationId, now));
  };

  /** Erases client messages in pages by their position; system messages are read again until all of them are erased. */
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
    if (!userId) throw new Error('The event is malformed.');
    let after: ConversationId | undefined;
    for (;;) {
      const conversations = await members.conversationsOf(userId, after, conversationsAtOnce);
      for (const conversationId of conversations) {
        // All memberships end first, so that nothing is written while old messages are erased.
        if (await leave(userId, conversationId)) wake();
        for (;;) {
          const count = await annotations.dropReactionsOf(userId, conversationId, messagesAtOnce, clock.now());
          if (count > 0) wake();
          if (count < messagesAtOnce) break;
        }
      }
      after = conversations.at(-1);
      if (!after || conversations.length < conversationsAtOnce) break;
    }
    await eraseMessages(userId);
    await annotations.dropStarsOf(userId);
    await hiding.forget(userId);
    await groups.forget(userId);
    await preferences.forget(userId);
    await blocks.forget(userId);
    await epochs.forget(userId);
  };
}
