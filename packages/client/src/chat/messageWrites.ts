import type { Message } from '@nolo/api';
import type { ChatCore } from './chatCore.ts';
import { findMessageById } from './hiding.ts';
import type { MessageExtras } from './ports.ts';

/** Sends changes of messages, sealed where their conversation is. Rejects with the request's error. */
export function createMessageWrites({ api, sealed, store }: Pick<ChatCore, 'api' | 'sealed' | 'store'>) {
  /** Returns the actions on sealed messages, with the message; undefined without keys, and for one that is not loaded. */
  const findSealed = async (id: string, known = findMessageById(store.getState(), id)) => {
    const chats = known && (await sealed.load());
    return chats && { actions: chats.actions, message: known };
  };

  return {
    async edit(message: Message, text: string, extras?: MessageExtras): Promise<Message> {
      const found = await findSealed(message.id, message);
      return found ? found.actions.edit(message, text, extras) : api.editMessage(message, text, extras);
    },
    async remove(id: string): Promise<Message> {
      const found = await findSealed(id);
      return found ? found.actions.remove(found.message) : api.deleteMessage(id);
    },
    async react(id: string, emoji: string | null): Promise<Message> {
      const found = await findSealed(id);
      return found ? found.actions.react(found.message, emoji) : api.react(id, emoji);
    },
    /** Unpinning is never sealed. */
    async pin(id: string, pinned: boolean): Promise<Message> {
      const found = pinned ? await findSealed(id) : undefined;
      return found ? found.actions.pin(found.message) : api.pinMessage(id, pinned);
    },
  };
}
