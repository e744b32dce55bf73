import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import type { ChatDependencies } from './chatCore.ts';
import type { createChatStore, ChatState } from './chatStore.ts';
import { withPeople } from './people.ts';

/** A note names so many people at most; the rest it counts. */
const namedInNote = 3;
/** At a time; a group of hundreds must not ask for all of them at once. */
const atATime = 4;
const waitingAtMost = 200;

/** Whom a message is about: who wrote it, and in a note of the server those whom it names. */
export function peopleInMessage(message: Message): string[] {
  const { senderId, messageType, content, mentions, replyTo, reactions } = message;
  const note = messageType === 'system' ? readSystemMessage(content) : null;
  switch (note?.kind) {
    case 'member_added':
      return [senderId, ...note.userIds.slice(0, namedInNote)];
    case 'member_removed':
    case 'role_changed':
    case 'owner_changed':
      return [senderId, note.userId];
    case 'member_joined':
      return [senderId, ...(note.admittedBy === undefined ? [] : [note.admittedBy])];
    default:
      return [
        senderId,
        ...(replyTo ? [replyTo.senderId] : []),
        ...mentions.slice(0, namedInNote),
        ...reactions.slice(-namedInNote).map(({ userId }) => userId),
      ];
  }
}

export type Names = ReturnType<typeof createNames>;

/** Asks once for each person who is seen and not known by name. Frames carry ids alone. */
export function createNames(
  { api, failureOf, selfId }: ChatDependencies,
  store: ReturnType<typeof createChatStore>,
  patch: (change: (state: ChatState) => Partial<ChatState>) => void,
) {
  const asked = new Set<string>([selfId]);
  const waiting: string[] = [];
  let running = 0;

  const ask = async (id: string): Promise<void> => {
    try {
      const user = await api.getUser(id);
      patch((state) => ({ people: withPeople(state.people, [user]) }));
    } catch (error) {
      // Who does not exist any more stays without a name; a lost line is no answer.
      if (failureOf(error).passing) asked.delete(id);
    }
  };
  const next = (): void => {
    while (running < atATime) {
      const id = waiting.shift();
      if (id === undefined) return;
      running += 1;
      void ask(id).finally(() => {
        running -= 1;
        next();
      });
    }
  };
  const want = (ids: Iterable<string>): void => {
    const { people } = store.getState();
    for (const id of ids) {
      if (asked.has(id) || people[id] !== undefined || waiting.length >= waitingAtMost) continue;
      asked.add(id);
      waiting.push(id);
    }
    next();
  };
  return {
    want,
    /** For messages of groups and meetings; in a direct conversation the row names both. */
    wantFor(messages: readonly Message[]): void {
      const { conversations } = store.getState();
      for (const message of messages) {
        if (conversations[message.conversationId]?.type !== 'direct') want(peopleInMessage(message));
      }
    },
  };
}
