import type {
  Conversation,
  ConversationSettings,
  HeldMessage,
  Message,
  NewMessage,
  Reply,
  routes,
  User,
} from '@nolo/api';
import type { SendFailure, Thumbnail, UploadPlace } from '../../api/ports.ts';
import type { SettingsChange } from './marks.ts';
import type { KnownPerson } from './people.ts';

/** What the state of the app needs from outside. The adapters stand in src/api; tests bring small stores of their own. */

export type StarredMessage = Reply<typeof routes.listStarred>[number];

/** How far messages of a conversation arrived and were read. */
export interface CursorMove {
  readonly conversationId: string;
  readonly deliveredSeq: number;
  readonly readSeq: number;
}

export interface ChatApi {
  listConversations(cursor?: string): Promise<{ items: Conversation[]; nextCursor: string | null }>;
  getConversation(id: string): Promise<Conversation>;
  getUser(id: string): Promise<User>;
  listMessages(
    id: string,
    place: { before?: number; after?: number; limit?: number },
  ): Promise<{ items: Message[]; nextCursor: string | null }>;
  /** The newest page where it was asked for before the app was here, once: with all changes up to `asOf`. */
  takeEarlyPage?(id: string): Promise<{ items: Message[]; nextCursor: string | null; asOf: number } | undefined>;
  listChanges(id: string, since: number): Promise<Reply<typeof routes.listChanges>>;
  /** A message that waits for approval has no place in the conversation yet. */
  sendMessage(message: NewMessage): Promise<Message | HeldMessage>;
  editMessage(id: string, content: string, extras?: MessageExtras): Promise<Message>;
  deleteMessage(id: string): Promise<Message>;
  /** Null takes the reaction back. */
  react(id: string, emoji: string | null): Promise<Message>;
  pinMessage(id: string, pinned: boolean): Promise<Message>;
  starMessage(id: string, starred: boolean): Promise<void>;
  listStarred(cursor?: string): Promise<{ items: StarredMessage[]; nextCursor: string | null }>;
  hideMessage(id: string): Promise<Message>;
  /** Takes the conversation out of the list as well where that is asked for. */
  clearConversation(id: string, fromList: boolean): Promise<ConversationSettings>;
  changeSettings(id: string, change: SettingsChange): Promise<ConversationSettings>;
  moveCursors(cursors: CursorMove[]): Promise<unknown>;
}

/** What a message says of its files, as it travels. */
export type MediaFields = Pick<
  NewMessage,
  | 'messageType'
  | 'fileUrl'
  | 'fileName'
  | 'fileSize'
  | 'voiceMessageUrl'
  | 'voiceMessageDuration'
  | 'voiceMessageTranscription'
  | 'mediaInfo'
  | 'previewUrl'
>;

/** The medium of a message that has not been sent yet. */
export interface UnsentMedia {
  readonly messageType: 'image' | 'video' | 'file' | 'voice';
  readonly name: string | null;
  /** Bytes. */
  readonly size: number;
  /** What `mediaInfo` of the message will be; see mediaInfo.ts. */
  readonly info: string | null;
  /** Seconds of a voice note, and what is said in it where that is known. */
  readonly duration?: number;
  readonly transcription?: string;
  /** Null while the bytes are on this device alone, or behind `link`. */
  readonly fields: MediaFields | null;
  /** Where the server fetches the bytes from, which are not on this device at all. */
  readonly link?: string;
  /** The message chosen before it at the same time: it goes first. */
  readonly after?: string;
}

/** The bytes of a medium that is to be sent. */
export interface MediaFiles {
  readonly file: Blob;
  /** A still picture of a video. */
  readonly poster?: Blob;
  /** Smaller ones of the still picture, or else of the file, which the server makes where there are none. */
  readonly thumbnails?: readonly Thumbnail[];
}

/** Brings files to the server, for the messages that carry them. */
export interface Uploads {
  /** Begins, or waits for the tab that has begun; `files` where this tab has them. */
  bring(message: UnsentMessage, files?: MediaFiles): void;
  /** Gives it up, and takes back what has arrived. */
  drop(clientMessageId: string): void;
  /** The line is back. */
  flush(): void;
  stop(): void;
}

export interface UploadEvents {
  onSending(message: UnsentMessage): void;
  /** The upload goes on by itself. */
  onWaiting(message: UnsentMessage): void;
  /** Resolves once the device knows it. */
  onBrought(message: UnsentMessage): Promise<void>;
  onRefused(message: UnsentMessage, failure: SendFailure): void;
}

/** What a message brings besides its words. */
export interface MessageExtras {
  readonly media?: UnsentMedia;
  /** The message that it answers. */
  readonly replyTo?: Message['replyTo'];
  readonly forwarded?: boolean;
  readonly mentions?: readonly string[];
  /** What was made of a link in it, as JSON; null takes it away where a message is changed. */
  readonly linkPreview?: string | null;
  readonly hasLink?: boolean;
  /** What only clients read, under names of their own (`extra` of the message). */
  readonly extra?: Record<string, unknown>;
}

/** A message that the server has not acknowledged, as it waits on the device. */
export interface UnsentMessage {
  clientMessageId: string;
  conversationId: string;
  content: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  extras?: MessageExtras;
  /** Why the server refused it; null while it waits to leave. */
  refused: { code: string; message: string } | null;
}

/** How much of a conversation the device has. */
export interface TimelineMark {
  conversationId: string;
  /** When something last happened in it, as its row says. */
  activity: string;
  /** Everything up to this change is applied. */
  changeSeq: number;
  hasOlder: boolean;
  count: number;
  /** When the next of its messages disappears, in milliseconds since the epoch. */
  nextExpiry: number | null;
}

export interface KeptTimeline extends TimelineMark {
  messages: readonly Message[];
}

/** What the device knew when the app was opened. */
export interface KeptChats {
  /** False where the list was never loaded, so that no rows does not mean that there are none. */
  listed: boolean;
  rows: readonly Conversation[];
  timelines: readonly KeptTimeline[];
  unsent: readonly UnsentMessage[];
  people: readonly KnownPerson[];
}

/**
 * What one account keeps on this device, shared by its tabs. Every call may fail: a full or refused storage costs what
 * is said here, and nothing else.
 */
export interface ChatDevice {
  readTimeline(conversationId: string): Promise<KeptTimeline | undefined>;
  listMarks(): Promise<readonly TimelineMark[]>;
  /** Stores rows, timelines and names, except over what is newer, and lets go of what is too much. */
  writeChats(changes: {
    rows: readonly Conversation[];
    timelines: readonly KeptTimeline[];
    people: readonly KnownPerson[];
  }): Promise<void>;
  /** One is in this conversation no longer. */
  removeChat(conversationId: string): Promise<void>;
  /**
   * Takes what has disappeared out of everything that is kept, and answers when the next message does, in milliseconds
   * since the epoch; null where none does.
   */
  removeExpired(now: number): Promise<number | null>;
  /** In the order in which they were written. */
  listUnsent(): Promise<readonly UnsentMessage[]>;
  /** A message that is there already keeps its place. */
  putUnsent(message: UnsentMessage): Promise<void>;
  /** Its files go with it. */
  removeUnsent(clientMessageId: string): Promise<void>;
  readUnsent(clientMessageId: string): Promise<UnsentMessage | undefined>;
  /** The files of a message that waits, and how far they have come. */
  readFiles(clientMessageId: string): Promise<(MediaFiles & { place?: UploadPlace }) | undefined>;
  putFiles(clientMessageId: string, files: MediaFiles): Promise<void>;
  putUploadPlace(clientMessageId: string, place: UploadPlace): Promise<void>;
}

/** What the tabs of one account tell each other about unsent messages. */
export type TabNews =
  | { type: 'written'; message: UnsentMessage }
  | { type: 'discarded'; message: UnsentMessage }
  /** From the tab that sends. */
  | { type: 'leading' }
  | { type: 'state'; message: UnsentMessage; state: 'sending' | 'waiting' | 'failed' }
  | { type: 'sent'; message: Message }
  /** The line is back. */
  | { type: 'flush' };

/** The other tabs of the same account on this device. */
export interface Tabs {
  /** Calls back once this tab is the one that sends, at the latest when the one that does is closed. */
  lead(begin: () => void): void;
  tell(news: TabNews): void;
  listen(onNews: (news: TabNews) => void): void;
  close(): void;
}
