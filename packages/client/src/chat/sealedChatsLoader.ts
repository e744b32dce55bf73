import { ApiError } from '../http/request.ts';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import type { SealedChats } from './sealedChats.ts';

/** Sealed conversations, whose code loads when it is first needed. */
export interface SealedChatsLoader {
  /** Returns undefined without keys. Rejects with `ApiError` if the code cannot be loaded now. */
  load(): Promise<SealedChats | undefined>;
  /** Runs the task with them if there are keys, without waiting. A failure leaves things as they are. */
  use(task: (chats: SealedChats) => unknown): void;
}

/** Creates the loader. Without the port it never loads anything. */
export function createSealedChatsLoader(getBase: () => ChatBase, port: Conversations | undefined): SealedChatsLoader {
  let loading: Promise<SealedChats> | undefined;
  const start = async (conversations: Conversations): Promise<SealedChats> => {
    try {
      const { createSealedChats } = await import('./sealedChats.ts');
      return createSealedChats(getBase(), conversations);
    } catch (error) {
      loading = undefined;
      throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
    }
  };
  const load = async () => (port ? (loading ??= start(port)) : undefined);
  return {
    load,
    use(task) {
      if (port)
        load()
          .then((chats) => chats && task(chats))
          .catch(() => undefined);
    },
  };
}
