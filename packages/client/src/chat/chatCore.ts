import type { Message } from '@nolo/api';
import { content as ownContent, type Content } from '../content/content.ts';
import { createSealedDevice } from '../content/sealedDevice.ts';
import type { ChatBase } from './chatBase.ts';
import { createChatStore } from './chatStore.ts';
import { restoreOfflineChats } from './offlineChats.ts';
import { createNameLoader, type NameLoader } from './names.ts';
import type { ChatDependencies } from './ports.ts';
import { createSealedChatsLoader, type SealedChatsLoader } from './sealedChatsLoader.ts';

/** State shared by the parts of the chat engine, and the only way to change it. */
export interface ChatCore extends ChatBase {
  content: Content;
  /** Fetches unknown names. */
  names: NameLoader;
  readonly sealed: SealedChatsLoader;
  /** Returns rows that are not in the store opened, as far as they open now. */
  openRows(messages: readonly Message[]): Promise<readonly Message[]>;
}

export function createChatCore(dependencies: ChatDependencies): ChatCore {
  const { content = ownContent, deviceContent = content, conversations, device } = dependencies;
  const store = createChatStore(dependencies.selfId, conversations !== undefined);
  if (dependencies.kept) store.setState(restoreOfflineChats(dependencies.kept));
  const patch: ChatCore['patch'] = (change) => {
    const changed = change(store.getState());
    // Subscribers run on every new state.
    if (Object.keys(changed).length > 0) store.setState(changed);
  };
  const row: ChatCore['row'] = (id) => store.getState().conversations[id];
  const base: ChatBase = { ...dependencies, store, patch, watchers: new Set(), row };
  const sealed = createSealedChatsLoader(base);
  const { api } = sealed;
  const names = createNameLoader({ ...dependencies, api }, store, patch);
  // The author of an approved message is known once that is open.
  base.watchers.add({ onMessages: names.wantFor, onHidden: () => undefined, onSkipped: () => undefined });
  return {
    ...base,
    api,
    sealed,
    openRows: async (messages) => (await sealed.load())?.openRows(messages) ?? messages,
    content,
    ...(device && { device: createSealedDevice(deviceContent, device) }),
    names,
  };
}
