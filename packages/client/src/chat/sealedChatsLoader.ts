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

/** Requests whose answers are closed. They do not wait for the code. */
const reads = ['listConversations', 'getConversation', 'listMessages', 'takeEarlyPage', 'listChanges'] as const;

/** Changes of messages, which are sealed before they are sent. */
const changes = [
  'sendMessage',
  'editMessage',
  'deleteMessage',
  'react',
  'pinMessage',
  'hideMessage',
] as const satisfies readonly (keyof ChatApi)[];

type Call = (...values: unknown[]) => Promise<unknown>;

function createApi(api: ChatApi, load: () => Promise<SealedChats>): ChatApi {
  const calls: Partial<Record<keyof ChatApi, Call>> = {};
  for (const name of reads) {
    if (!api[name]) continue;
    calls[name] = async (...values) => {
      const [answer, { closers }] = await Promise.all([(api[name] as Call)(...values), load()]);
      return (closers[name] as (given: unknown) => unknown)(answer);
    };
  }
  for (const name of changes) calls[name] = async (...values) => ((await load()).api[name] as Call)(...values);
  return { ...api, ...(calls as Partial<ChatApi>) };
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
