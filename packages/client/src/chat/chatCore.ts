import type { Message } from '@nolo/api';
import { content as ownContent, type Content } from '../content/content.ts';
import { createSealedDevice } from '../content/sealedDevice.ts';
import type { ChatBase } from './chatBase.ts';
import { createChatStore } from './chatStore.ts';
import { restoreOfflineChats } from './offlineChats.ts';
import { createNameLoader, type NameLoader } from './names.ts';
import type { ChatDependencies } from './ports.ts';
import { closeAnswers, createRowGate, type CloseArrived } from './rowGate.ts';
import { createSealedChatsLoader, type SealedChatsLoader } from './sealedChatsLoader.ts';

/** State shared by the parts of the chat engine, and the only way to change it. */
export interface ChatCore extends ChatBase {
  content: Content;
  /** Fetches unknown names. */
  names: NameLoader;
  /** Closes a row that arrived outside of an answer of `api`. */
  close: CloseArrived;
  readonly sealed: SealedChatsLoader;
  /** Returns rows that are not in the store opened, as far as they open now. */
  openRows(messages: readonly Message[]): Promise<readonly Message[]>;
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
  const sealed = createSealedChatsLoader(() => core, conversations);
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
