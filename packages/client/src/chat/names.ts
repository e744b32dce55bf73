import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import { approverOf } from './rowOpening.ts';
import type { ChatState } from './state.ts';
import type { ChatDependencies } from './ports.ts';
import type { createChatStore } from './chatStore.ts';
import { withPeople } from './people.ts';

/** Maximum people named in a system message. The rest appears as a count. */
const maxNamedPeople = 3;
/** Maximum concurrent requests. A group of hundreds must not request all names at once. */
const atATime = 4;
const maxQueuedNames = 200;

/** Returns the people in a message: its sender and those named in a system message. */
export function collectPersonIdsOfMessage(message: Message): string[] {
  const { senderId, messageType, content, mentions, replyTo, reactions } = message;
  const approver = approverOf(message);
  const systemMessage = messageType === 'system' ? readSystemMessage(content) : null;
  switch (systemMessage?.kind) {
    case 'member_added':
      return [senderId, ...systemMessage.userIds.slice(0, maxNamedPeople)];
    case 'member_removed':
    case 'role_changed':
    case 'owner_changed':
      return [senderId, systemMessage.userId];
    case 'member_joined':
      return [senderId, ...(systemMessage.admittedBy === undefined ? [] : [systemMessage.admittedBy])];
    default:
      return [
        senderId,
        ...(approver === null ? [] : [approver]),
        ...(replyTo ? [replyTo.senderId] : []),
        ...mentions.slice(0, maxNamedPeople),
        ...reactions.slice(-maxNamedPeople).map(({ userId }) => userId),
      ];
  }
}

export type NameLoader = ReturnType<typeof createNameLoader>;

/** Requests each visible unknown person once. Frames contain only ids. */
export function createNameLoader(
  { api, failureOf, selfId }: ChatDependencies,
  store: ReturnType<typeof createChatStore>,
  patch: (change: (state: ChatState) => Partial<ChatState>) => void,
) {
  const requestedIds = new Set<string>([selfId]);
  const waiting: string[] = [];
  let running = 0;

  const requestName = async (id: string): Promise<void> => {
    try {
      const user = await api.getUser(id);
      patch((state) => ({ people: withPeople(state.people, [user]) }));
    } catch (error) {
      // A deleted person stays without a name. A lost connection is retried.
      if (failureOf(error).passing) requestedIds.delete(id);
    }
  };
  const next = (): void => {
    while (running < atATime) {
      const id = waiting.shift();
      if (id === undefined) return;
      running += 1;
      void requestName(id).finally(() => {
        running -= 1;
        next();
      });
    }
  };
  const want = (ids: Iterable<string>): void => {
    const { people } = store.getState();
    for (const id of ids) {
      if (requestedIds.has(id) || people[id] !== undefined || waiting.length >= maxQueuedNames) continue;
      requestedIds.add(id);
      waiting.push(id);
    }
    next();
  };
  return {
    want,
    /** Covers messages of groups and meetings. In a direct conversation, the row names both people. */
    wantFor(messages: readonly Message[]): void {
      const { conversations } = store.getState();
      for (const message of messages) {
        if (conversations[message.conversationId]?.type !== 'direct') want(collectPersonIdsOfMessage(message));
      }
    },
  };
}
