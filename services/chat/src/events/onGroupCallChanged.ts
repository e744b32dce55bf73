import type { ServiceEvent } from '@nolo/kit/events';
import type { Clock } from '@nolo/kit/clock';
import { parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import { createSystemDraft } from '../domain/message.ts';
import type { GroupCallStore } from '../domain/groupPorts.ts';
import type { MessageStore } from '../domain/ports.ts';
import type { SendQueue } from '../domain/sendQueue.ts';

export const groupCallChangedSubject = 'event.meetings.group_call_changed';

const payload = z.object({
  groupId: z.uuid(),
  /** ID of this call; the room is the same for all calls of a group. */
  callId: z.uuid(),
  startedBy: z.uuid(),
  changedAt: z.iso.datetime(),
  durationSeconds: z.nullable(z.int()),
});

/**
 * Announces a group call with one system message that is later updated with the call's duration. Repeated or reordered
 * events have the same result.
 */
export function onGroupCallChanged(dependencies: {
  messages: Pick<MessageStore, 'reviseSystemMessage'>;
  groupCalls: Pick<GroupCallStore, 'setCall'>;
  sendQueue: Pick<SendQueue, 'send'>;
  onStored: (type: 'system') => void;
  clock: Clock;
  wake: () => void;
}) {
  const { messages, groupCalls, sendQueue, onStored, clock, wake } = dependencies;
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const groupId = parseId<ConversationId>(data?.groupId);
    const senderId = parseId<UserId>(data?.startedBy);
    if (!data || !groupId || !senderId) throw new Error('The event is malformed.');
    const { callId, changedAt, durationSeconds } = data;
    const systemMessage = { kind: 'group_call', durationSeconds, at: changedAt } as const;
    await groupCalls.setCall(groupId, durationSeconds === null ? new Date(changedAt) : null, new Date(changedAt));
    // The caller may have left the group since; the call is still announced.
    if (await messages.reviseSystemMessage(groupId, callId, { senderId, systemMessage }, clock.now())) {
      wake();
      return;
    }
    const callMessage = { senderId, clientMessageId: callId, content: JSON.stringify(systemMessage) };
    const outcome = await sendQueue.send(
      groupId,
      createSystemDraft({ ...callMessage, quiet: durationSeconds !== null }),
    );
    if (outcome.kind === 'stored') onStored('system');
    wake();
  };
}
