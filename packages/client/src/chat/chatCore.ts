import type { Conversation, Message } from '@nolo/api';
import type { ChatState } from './state.ts';
import { content as ownContent, type Content } from '../content/content.ts';
import { createSealedDevice } from '../content/sealedDevice.ts';
import { createChatStore } from './chatStore.ts';
import { restoreOfflineChats } from './offlineChats.ts';
import { createNameLoader, type NameLoader } from './names.ts';
import type { ChatDependencies } from './ports.ts';
import { closeAnswers, createRowGate, type CloseArrived } from './rowGate.ts';
import { createSealedChatsLoader, type SealedChatsLoader } from './sealedChatsLoader.ts';

/** Observes all messages that the server sends, whether or not they are loaded here. Used for search. */
export interface MessageWatcher {
  onMessages(messages: readonly Message[]): void;
  /** The user hid a message. It may be loaded nowhere else. */
  onHidden(conversationId: string, seq: number): void;
  /**
   * The device missed so much of a conversation that it loaded the newest messages instead. Older ones may have
   * changed.
   */
  onSkipped(conversationId: string): void;
}

/** State shared by the parts of the chat engine, and the only way to change it. */
export interface ChatCore extends ChatDependencies {
  content: Content;
  store: ReturnType<typeof createChatStore>;
  patch(change: (state: ChatState) => Partial<ChatState>): void;
  /** Fetches unknown names. */
  names: NameLoader;
  readonly watchers: Set<MessageWatcher>;
  /** Closes a row that arrived outside of an answer of `api`. */
  close: CloseArrived;
  readonly sealed: SealedChatsLoader;
  /** Returns rows that are not in the store opened, as far as they open now. */
  openRows(messages: readonly Message[]): Promise<readonly Message[]>;
  row(id: string): Conversation | undefined;
}

export function createChatCore(dependencies: ChatDependencies): ChatCore {
  const { content = ownContent, conversations, device } = dependencies;
  const store = createChatStore(dependencies.selfId, conversations !== undefined);
  if (dependencies.kept) store.setState(restoreOfflineChats(dependencies.kept));
  const patch: ChatCore['patch'] = (change) => {
    const changed = change(store.getState());
    // Subscribers run on every new state.
    if (Object.keys(changed).length > 0) store.setState(changed);
  };
  const close: CloseArrived = conversations ? createRowGate(store) : (message) => message;
  const api = conversations ? closeAnswers(dependencies.api, close) : dependencies.api;
  const sealed = createSealedChatsLoader(() => core);
  const core: ChatCore = {
    ...dependencies,
    api,
    close,
    sealed,
    openRows: async (messages) => {
      const chats = await sealed.load();
      return chats ? chats.openRows(messages.map((message) => close(message))) : messages;
    },
    content,
    ...(device && { device: createSealedDevice(content, device) }),
    store,
    patch,
    names: createNameLoader({ ...dependencies, api }, store, patch),
    watchers: new Set(),
    row: (id) => store.getState().conversations[id],
  };
  return core;
}
