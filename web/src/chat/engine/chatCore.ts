import type { Conversation, Message, ServerFrame } from '@nolo/api';
import { createChatStore, type ChatState } from './chatStore.ts';
import { restoreOfflineChats } from './offlineChats.ts';
import { createNameLoader, type NameLoader } from './names.ts';
import type { SendFailure, OpenSocket, Timers } from '../../api/ports.ts';
import type {
  ChatApi,
  ChatDeviceStorage,
  OfflineChats,
  AccountTabs,
  UploadEvents,
  MessageFileUploader,
} from './ports.ts';

export interface ChatDependencies {
  selfId: string;
  api: ChatApi;
  openSocket: OpenSocket;
  timers: Timers;
  newId(): string;
  failureOf(error: unknown): SendFailure;
  /** Handles frames for other parts of the app: contacts, the user's own profile. */
  onOtherFrame(frame: ServerFrame): void;
  /** Handles a refused connection. `certain` is true if the server reported that the session ended. */
  onRefused(certain: boolean): void;
  /** Device storage. Absent: everything stays in memory. */
  device?: ChatDeviceStorage;
  /** The browser's other tabs. Absent: this is the only tab. */
  tabs?: AccountTabs;
  /** Loads the uploader, on the first file to send. */
  loadUploads?: (events: UploadEvents) => Promise<MessageFileUploader>;
  /** Chats that the device had stored when the app opened. */
  kept?: OfflineChats;
}

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
  store: ReturnType<typeof createChatStore>;
  patch(change: (state: ChatState) => Partial<ChatState>): void;
  /** Fetches unknown names. */
  names: NameLoader;
  readonly watchers: Set<MessageWatcher>;
  row(id: string): Conversation | undefined;
}

export function createChatCore(dependencies: ChatDependencies): ChatCore {
  const store = createChatStore(dependencies.selfId);
  if (dependencies.kept) store.setState(restoreOfflineChats(dependencies.kept));
  const patch: ChatCore['patch'] = (change) => {
    const changed = change(store.getState());
    // Subscribers run on every new state.
    if (Object.keys(changed).length > 0) store.setState(changed);
  };
  return {
    ...dependencies,
    store,
    patch,
    names: createNameLoader(dependencies, store, patch),
    watchers: new Set(),
    row: (id) => store.getState().conversations[id],
  };
}
