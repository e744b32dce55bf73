import type {
  RouteBodyInput,
  ServerFrame,
  Conversation,
  ConversationSettings,
  UnapprovedMessageReply,
  Message,
  NewEpoch,
  NewMessage,
  NewSealed,
  RouteReply,
  routes,
  Self,
  User,
} from '@nolo/api';
import type { Content } from '../content/content.ts';
import type { RouteCaller } from '../http/httpClient.ts';
import type { Conversations, SealResult, SignedDeletion } from '../keys/conversations/types.ts';
import type { OpenSocket, SendFailure, Thumbnail, Timers, UploadResumePoint } from '../ports.ts';
import type { KnownPerson } from './people.ts';

/* Ports of the chat engine: the server, the device's storage, and the other tabs. Tests provide small ones. */

export type StarredMessage = RouteReply<typeof routes.listStarred>[number];

/** Delivery and read state of a conversation's messages. */
export interface ReceiptCursors {
  readonly conversationId: string;
  readonly deliveredSeq: number;
  readonly readSeq: number;
}

/** Sealed edit of a message, with what its seal covers beside the content. */
export interface SealedEdit {
  readonly encryption: 'epochs';
  readonly sealed: NewSealed;
  readonly mentions: string[];
  readonly hasLink: boolean;
}

/** Sealed reaction or pin. */
export interface NewAnnotation {
  readonly sealed: NewSealed;
  readonly clientMessageId: string;
}

/** Reason why a message waits although the server is there. Neither time nor another request changes it. */
export type HeldState = Exclude<SealResult, { readonly state: 'plain' | 'sealed' }>;

/** Answer for a message that a sealed conversation does not take now. */
export interface HeldBack {
  readonly heldBy: HeldState;
}

/** Sealed message. All its content is inside. */
export type SealedNewMessage = Omit<NewMessage, 'content'>;

/** Requests that only sealed conversations need. */
export interface SealedApi {
  /** Returns a page of a group's members. */
  listMembers(
    id: string,
    cursor?: string,
  ): Promise<{ items: readonly { userId: string }[]; nextCursor: string | null }>;
  /** Begins an epoch. The reply has its first message as stored, if one went along. */
  commitEpoch(
    id: string,
    epoch: NewEpoch,
    message?: SealedNewMessage,
  ): Promise<{ message?: Message | UnapprovedMessageReply | undefined }>;
  editSealed(id: string, edit: SealedEdit): Promise<Message>;
  deleteSealed(id: string, deletion: SignedDeletion): Promise<Message>;
  /** The emoji is inside. Without one, it takes the reaction away. */
  reactSealed(id: string, reaction: NewAnnotation): Promise<Message>;
  pinSealed(id: string, pin: NewAnnotation): Promise<Message>;
  /** Decides about a message that waits for approval. */
  decideHeld(id: string, heldId: string, decision: RouteBodyInput<typeof routes.decideHeldMessage>): Promise<void>;
}

export interface ChatApi {
  /** Creates the requests of sealed conversations, whose code is no part of the first screen (sealedApi.ts). */
  createSealed(create: (caller: RouteCaller) => SealedApi): SealedApi;
  listConversations(cursor?: string): Promise<{ items: Conversation[]; nextCursor: string | null }>;
  getConversation(id: string): Promise<Conversation>;
  getUser(id: string): Promise<User>;
  listMessages(
    id: string,
    place: { before?: number; after?: number; limit?: number },
  ): Promise<{ items: Message[]; nextCursor: string | null }>;
  /** Returns, once, the newest page that was requested before the app loaded, with all changes up to `asOf`. */
  takeEarlyPage?(id: string): Promise<{ items: Message[]; nextCursor: string | null; asOf: number } | undefined>;
  listChanges(id: string, since: number): Promise<RouteReply<typeof routes.listChanges>>;
  /** A message pending approval has no place in the conversation yet. */
  sendMessage(message: NewMessage | SealedNewMessage): Promise<Message | UnapprovedMessageReply>;
  /** Replaces text and given extras. Everything else stays as in `message`, the current state. */
  editMessage(message: Message, content: string, extras?: MessageExtras): Promise<Message>;
  deleteMessage(id: string): Promise<Message>;
  /** Null removes the reaction. */
  react(id: string, emoji: string | null): Promise<Message>;
  pinMessage(id: string, pinned: boolean): Promise<Message>;
  starMessage(id: string, starred: boolean): Promise<void>;
  listStarred(cursor?: string): Promise<{ items: StarredMessage[]; nextCursor: string | null }>;
  hideMessage(id: string): Promise<Message>;
  /** Removes the conversation from the list too if `fromList` is set. */
  clearConversation(id: string, fromList: boolean): Promise<ConversationSettings>;
  changeSettings(id: string, change: ConversationSettingsChange): Promise<ConversationSettings>;
  moveCursors(cursors: ReceiptCursors[]): Promise<unknown>;
}

/** Media fields of a message in requests. */
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

/** Medium of an unsent message. */
export interface UnsentMedia {
  readonly messageType: 'image' | 'video' | 'file' | 'voice';
  readonly name: string | null;
  /** Size in bytes. */
  readonly size: number;
  /** Future `mediaInfo` of the message. See mediaInfo.ts. */
  readonly info: string | null;
  /** Length of a voice note in seconds, and its transcript if known. */
  readonly duration?: number;
  readonly transcription?: string;
  /** Null while the bytes are only on this device or behind `link`. */
  readonly fields: MediaFields | null;
  /** Address from which the server fetches the bytes, which are not on this device. */
  readonly link?: string;
  /** Message chosen before it at the same time, which is sent first. */
  readonly after?: string;
}

/** Bytes of a medium to send. */
export interface MediaFiles {
  readonly file: Blob;
  /** Poster: a still picture of a video. */
  readonly poster?: Blob;
  /** Smaller versions of the poster or else of the file. If absent, the server creates them. */
  readonly thumbnails?: readonly Thumbnail[];
}

/** Uploads files for the messages that carry them. */
export interface MessageFileUploader {
  /** Starts an upload, or waits for the tab that started it. Pass `files` if this tab has them. */
  bring(message: UnsentMessage, files?: MediaFiles): void;
  /** Cancels an upload and deletes what has arrived. */
  drop(clientMessageId: string): void;
  /** Retries after reconnecting. */
  flush(): void;
  stop(): void;
}

export interface UploadEvents {
  onSending(message: UnsentMessage): void;
  /** The upload resumes automatically. */
  onWaiting(message: UnsentMessage): void;
  /** Resolves once the device has stored the result. */
  onBrought(message: UnsentMessage): Promise<void>;
  onRefused(message: UnsentMessage, failure: SendFailure): void;
}

/** Content of a message besides its text. */
export interface MessageExtras {
  readonly media?: UnsentMedia;
  /** Message that this one replies to. */
  readonly replyTo?: Message['replyTo'];
  readonly forwarded?: boolean;
  readonly mentions?: readonly string[];
  /** Link preview as JSON. Null removes it in an edit. */
  readonly linkPreview?: string | null;
  readonly hasLink?: boolean;
  /** Data that only clients read, under their own keys (`extra` of the message). */
  readonly extra?: Record<string, unknown>;
}

/** Sealed message, with the epoch that has to begin before it. */
export interface SealedRequest {
  readonly sealed: NewSealed;
  readonly epoch: NewEpoch | null;
  /** Message that it replies to, unless nothing was left of that one. */
  readonly replyToSeq: number | null;
}

/** Message stored on the device until the server acknowledges it. */
export interface UnsentMessage {
  clientMessageId: string;
  conversationId: string;
  content: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Milliseconds since the epoch when the user tapped to send it, although people changed since it was written. */
  tappedAt?: number;
  extras?: MessageExtras;
  /**
   * Request, once it was sealed. The same bytes are repeated until the server's definite answer.
   */
  request?: SealedRequest;
  /** Reason why the server rejected it. Null while it waits to be sent. */
  refused: { code: string; message: string } | null;
}

/** Extent of a conversation on the device. */
export interface TimelineCheckpoint {
  conversationId: string;
  /** Time of its last activity, as in its row. */
  activity: string;
  /** Last applied change. */
  changeSeq: number;
  hasOlder: boolean;
  count: number;
  /** Time of the next expiry among its messages, in milliseconds since the epoch. */
  nextExpiry: number | null;
}

export interface OfflineTimeline extends TimelineCheckpoint {
  messages: readonly Message[];
}

/** Chats that the device had stored when the app opened. */
export interface OfflineChats {
  /** False if the list was never loaded, so that an empty list means nothing. */
  listed: boolean;
  rows: readonly Conversation[];
  timelines: readonly OfflineTimeline[];
  unsent: readonly UnsentMessage[];
  people: readonly KnownPerson[];
}

/**
 * Stores one account's data on this device, shared by its tabs. The engine seals contents before and opens them after
 * (content/sealedDevice.ts), so messages here lack the fields of their envelopes. Every call may fail. A full or
 * refused storage costs only what the methods describe.
 */
export interface ChatDeviceStorage {
  readTimeline(conversationId: string): Promise<OfflineTimeline | undefined>;
  listTimelineCheckpoints(): Promise<readonly TimelineCheckpoint[]>;
  /** Stores rows, timelines, and names, except over newer ones, and deletes what exceeds the limits. */
  writeChats(changes: {
    rows: readonly Conversation[];
    timelines: readonly OfflineTimeline[];
    people: readonly KnownPerson[];
  }): Promise<void>;
  /** Deletes a conversation that the user is no longer in. */
  removeChat(conversationId: string): Promise<void>;
  /**
   * Removes expired content from all stored data. Returns when the next message expires, in milliseconds since the
   * epoch, or null.
   */
  removeExpired(now: number): Promise<number | null>;
  /** Returns unsent messages in the order they were written. */
  listUnsent(): Promise<readonly UnsentMessage[]>;
  /** An existing message keeps its position. */
  putUnsent(message: UnsentMessage): Promise<void>;
  /** Deletes the message and its files. */
  removeUnsent(clientMessageId: string): Promise<void>;
  readUnsent(clientMessageId: string): Promise<UnsentMessage | undefined>;
  /** Returns the files of an unsent message and their upload progress. */
  readFiles(clientMessageId: string): Promise<(MediaFiles & { place?: UploadResumePoint }) | undefined>;
  putFiles(clientMessageId: string, files: MediaFiles): Promise<void>;
  putUploadPlace(clientMessageId: string, place: UploadResumePoint): Promise<void>;
}

/** Device storage that a client can start from while the server is unreachable. */
export interface AccountStorage extends ChatDeviceStorage {
  /** Returns the account's owner and chats, with the messages of the given conversation. */
  readAccount(conversationId?: string): Promise<OfflineChats & { readonly self: Self | undefined }>;
  putSelf(self: Self): Promise<void>;
  /** Ends the access. Every later call rejects, except in memory. */
  close(): void;
}

export interface StorageOptions {
  /** Returns milliseconds since the epoch, preferably by the server's clock (`now` of a client's timers). */
  readonly now?: () => number;
}

/** Messages about unsent messages between the tabs of one account. */
export type TabMessage =
  | { type: 'written'; message: UnsentMessage }
  | { type: 'discarded'; message: UnsentMessage }
  /** Sent by the sending tab. */
  | { type: 'leading' }
  | { type: 'state'; message: UnsentMessage; state: 'sending' | 'waiting' | 'failed'; heldBy?: HeldState | undefined }
  | { type: 'sent'; message: Message }
  /** The connection is back. */
  | { type: 'flush' };

/** Communication with the account's other tabs on this device. */
export interface AccountTabs {
  /** Calls back once this tab becomes the sending one, at the latest when the current one closes. */
  lead(begin: () => void): void;
  broadcast(news: TabMessage): void;
  listen(onNews: (news: TabMessage) => void): void;
  close(): void;
}

export type ConversationSettingsChange = RouteBodyInput<typeof routes.updateConversationSettings>;

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
  /** Loads the uploader, on the first file to send. `device` is the storage with opened contents. */
  loadUploads?: (events: UploadEvents, device: ChatDeviceStorage | undefined) => Promise<MessageFileUploader>;
  /** Chats that the device had stored when the app opened, with their contents open. */
  kept?: OfflineChats;
  /** Seals and opens contents. Default: that of this build. */
  content?: Content;
  /** Seals and opens what the device stores. Default: as `content`. */
  deviceContent?: Content;
  /** Sealed conversations. Absent: this device has no keys, shows no sealed rows, and sends nothing to their place. */
  conversations?: Conversations;
  /**
   * Begins the first epoch with the first message to people who have keys. Default: true. If false, such a
   * conversation stays plain until the server takes no plain text there.
   */
  startsSealed?: boolean;
}
