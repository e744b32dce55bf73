import type { Conversation, Message, ServerFrame } from '@nolo/api';
import { createChatStore, type ChatState } from './chatStore.ts';
import { restoredChats } from './keptChats.ts';
import { createNames, type Names } from './names.ts';
import type { SendFailure, OpenSocket, Timers } from '../../api/ports.ts';
import type { ChatApi, ChatDevice, KeptChats, Tabs, UploadEvents, Uploads } from './ports.ts';

export interface ChatDependencies {
  selfId: string;
  api: ChatApi;
  openSocket: OpenSocket;
  timers: Timers;
  newId(): string;
  failureOf(error: unknown): SendFailure;
  /** A frame that concerns other parts of the app: contacts, one's own profile. */
  onOtherFrame(frame: ServerFrame): void;
  /** The connection was refused; `certain` when the server said that the session ended. */
  onRefused(certain: boolean): void;
  /** Without it everything is kept in memory alone. */
  device?: ChatDevice;
  /** Without it this is the only tab. */
  tabs?: Tabs;
  /** What brings files to the server; it comes over the line with the first that is to be sent. */
  loadUploads?: (events: UploadEvents) => Promise<Uploads>;
  /** What the device knew when the app was opened. */
  kept?: KeptChats;
}

/** Hears of all messages as the server tells them, whether or not they are held here: what searches them. */
export interface MessageWatcher {
  onMessages(messages: readonly Message[]): void;
  /** One hid it from oneself, and it may be held nowhere else. */
  onHidden(conversationId: string, seq: number): void;
  /** So much was missed of a conversation that its newest messages were loaded instead: older ones may have changed. */
  onSkipped(conversationId: string): void;
}

/** What the parts of the chat engine share: the state, and the one way to change it. */
export interface ChatCore extends ChatDependencies {
  store: ReturnType<typeof createChatStore>;
  patch(change: (state: ChatState) => Partial<ChatState>): void;
  /** Asks for the names of people nobody has told of. */
  names: Names;
  readonly watchers: Set<MessageWatcher>;
  row(id: string): Conversation | undefined;
}

export function createChatCore(dependencies: ChatDependencies): ChatCore {
  const store = createChatStore(dependencies.selfId);
  if (dependencies.kept) store.setState(restoredChats(dependencies.kept));
  const patch: ChatCore['patch'] = (change) => {
    const changed = change(store.getState());
    // Whatever shows something of it looks at each new state.
    if (Object.keys(changed).length > 0) store.setState(changed);
  };
  return {
    ...dependencies,
    store,
    patch,
    names: createNames(dependencies, store, patch),
    watchers: new Set(),
    row: (id) => store.getState().conversations[id],
  };
}
