import type { Conversation, Message } from '@nolo/api';
import type { createChatStore } from './chatStore.ts';
import type { ChatDependencies } from './ports.ts';
import type { ChatState } from './state.ts';

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

/** Ports and state of the chat engine, before anything uses them. */
export interface ChatBase extends ChatDependencies {
  readonly store: ReturnType<typeof createChatStore>;
  patch(change: (state: ChatState) => Partial<ChatState>): void;
  readonly watchers: Set<MessageWatcher>;
  row(id: string): Conversation | undefined;
}
