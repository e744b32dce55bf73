import type {
  Change,
  ClientEventData,
  ClientEventName,
  Conversation,
  Message,
  NewMessage,
  ServerFrame,
} from '@nolo/api';

/** What the state of the app needs from outside. The adapters stand in src/api; tests bring small stores of their own. */

export interface Timers {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** 0 inclusive to 1 exclusive, for jitter. */
  random(): number;
}

export interface ChatApi {
  listConversations(cursor?: string): Promise<{ items: Conversation[]; nextCursor: string | null }>;
  getConversation(id: string): Promise<Conversation>;
  listMessages(
    id: string,
    place: { before?: number; limit?: number },
  ): Promise<{ messages: Message[]; hasMore: boolean }>;
  listChanges(id: string, since: number): Promise<{ changes: Change[]; changeSeq: number; hasMore: boolean }>;
  sendMessage(message: NewMessage): Promise<Message>;
  editMessage(id: string, content: string): Promise<Message>;
  deleteMessage(id: string): Promise<Message>;
  moveCursor(
    id: string,
    cursor: { deliveredSeq?: number; readSeq?: number },
  ): Promise<{ readSeq: number; unreadCount: number }>;
}

export interface SocketHandlers {
  onFrame(frame: ServerFrame): void;
  /** `code` as in RFC 6455 section 7.4. */
  onClose(code: number): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens one connection to `/ws`. */
export type OpenSocket = (handlers: SocketHandlers) => Socket;

export interface RealtimePort {
  send<N extends ClientEventName>(type: N, data: ClientEventData<N>): void;
}
