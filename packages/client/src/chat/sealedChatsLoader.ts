import type { ServerFrame } from '@nolo/api';
import type { MaybePromise } from '../content/codec.ts';
import { ApiError } from '../http/request.ts';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import type { ChatApi } from './ports.ts';
import type { SealedChats } from './sealedChats.ts';

/** Sealed conversations, whose code loads when there are keys. */
export interface SealedChatsLoader {
  /** Port to the server. With keys, its rows arrive closed, and its changes of messages are sealed. */
  readonly api: ChatApi;
  /** Returns undefined without keys. Rejects with `ApiError` if the code cannot be loaded now. */
  load(): Promise<SealedChats | undefined>;
  /** Runs the task with them if there are keys, without waiting. A failure leaves things as they are. */
  use(task: (chats: SealedChats) => unknown): void;
  /** Returns a frame as it may be shown: its row is closed. */
  takeFrame(frame: ServerFrame): MaybePromise<ServerFrame>;
}

function createApi(api: ChatApi, load: () => Promise<SealedChats>): ChatApi {
  const methods = Object.keys(api).map((name) => {
    const call = async (...values: unknown[]): Promise<unknown> => {
      const method = (await load()).api[name as keyof ChatApi] as (...all: unknown[]) => unknown;
      return method(...values);
    };
    return [name, call];
  });
  return { ...Object.fromEntries(methods), createSealed: api.createSealed } as ChatApi;
}

/** Creates the loader. Without the port it never loads anything. */
export function createSealedChatsLoader(base: ChatBase): SealedChatsLoader {
  const { api, conversations } = base;
  if (!conversations)
    return { api, load: () => Promise.resolve(undefined), use: () => undefined, takeFrame: (frame) => frame };
  let loading: Promise<SealedChats> | undefined;
  let loaded: SealedChats | undefined;
  const start = async (port: Conversations): Promise<SealedChats> => {
    try {
      const { createSealedChats } = await import('./sealedChats.ts');
      return (loaded = createSealedChats(base, port));
    } catch (error) {
      loading = undefined;
      throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
    }
  };
  const load = (): Promise<SealedChats> => (loading ??= start(conversations));
  return {
    api: createApi(api, load),
    load,
    use: (task) =>
      void load()
        .then(task)
        .catch(() => undefined),
    takeFrame: (frame) => loaded?.takeFrame(frame) ?? load().then((chats) => chats.takeFrame(frame)),
  };
}
