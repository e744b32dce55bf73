import type { Message, Self, ServerFrame, UnapprovedMessage } from '@nolo/api';
import { routes } from '@nolo/api';
import { content } from '../content/content.ts';
import { openOfflineChats } from '../content/sealedDevice.ts';
import type { RouteCaller } from '../http/httpClient.ts';
import { ApiError } from '../http/request.ts';
import type { ChangeResult, GroupChange } from '../keys/conversations/types.ts';
import type { OpenSocket, Timers } from '../ports.ts';
import { createChatApi, toSendFailure } from './chatApi.ts';
import { createChatEngine, type ChatEngine } from './chatEngine.ts';
import { followIncomingMessages } from './incoming.ts';
import type { AccountStorage, ChatApi, ChatDependencies } from './ports.ts';
import type { StoredMessage } from './rowOpening.ts';
import { answerQuestion, changeGroup, decideHeldMessage, openHeldMessages } from './sealedDecisions.ts';

export interface ChatsOptions extends Pick<
  ChatDependencies,
  'tabs' | 'loadUploads' | 'conversations' | 'startsSealed'
> {
  /** Storage of this account. Absent: everything is in memory. The caller closes it after `stop`. */
  readonly storage?: AccountStorage;
  /** Receives frames that are not about chats. */
  readonly onOtherFrame?: (frame: ServerFrame) => void;
  /** Wraps the engine's requests, for programs that observe them. */
  readonly wrapApi?: (api: ChatApi) => ChatApi;
}

/** Chats of one account: list, timelines, sending, and what arrives. Nothing is connected until `start`. */
export interface Chats extends ChatEngine {
  /**
   * Calls back with every message from others, in order and once. With a storage, the next start continues where this
   * one ended; after a crash the last messages may come again.
   *
   * @returns a function that ends it
   */
  onMessage(listener: (message: Message) => void): () => void;
  /** Answers a question of a sealed conversation. What waited for it is sent. Rejects with the request's error. */
  answerQuestion(conversationId: string, questionId: string, isAccepted: boolean): Promise<void>;
  /**
   * Signs changes of a group or of a timer. The body of the ordinary route takes `epoch`, if the result has one.
   * Rejects with the request's error.
   */
  changeGroup(conversationId: string, changes: readonly GroupChange[]): Promise<ChangeResult>;
  /** Returns messages that wait for approval as rows, in their order, sealed ones opened as far as they open now. */
  openHeldMessages(conversationId: string, drafts: readonly UnapprovedMessage[]): Promise<readonly StoredMessage[]>;
  /** Approves a sealed message that waits, with a message of the user's own, or rejects it. */
  decideHeldMessage(draft: UnapprovedMessage, isApproved: boolean): Promise<void>;
  /** Takes back a message of the user's own that waits for approval. Rejects with the request's error. */
  withdrawHeldMessage(draft: Pick<UnapprovedMessage, 'conversationId' | 'id'>): Promise<void>;
}

/** Part of a client that its chats need. */
export interface ChatsConnection extends RouteCaller {
  readonly openSocket: OpenSocket;
  readonly timers: Timers;
  newId(): string;
  /** Finds out whether the session has ended, after a socket was refused. `certain` is true if the server said so. */
  onRefused(certain: boolean): void;
}

/** Chats as a storage had them. */
type StoredChats = Awaited<ReturnType<AccountStorage['readAccount']>>;

/** Returns the account's owner. While the server is unreachable, the storage knows them. */
async function findSelf({ call }: RouteCaller, stored: Self | undefined, storage?: AccountStorage): Promise<Self> {
  try {
    const self = await call(routes.getSelf);
    if (stored && stored.id !== self.id) throw new Error('The storage belongs to another account.');
    await storage?.putSelf(self);
    return self;
  } catch (error) {
    if (stored && error instanceof ApiError && error.passing) return stored;
    throw error;
  }
}

/** Creates the chats of an account. */
export function createChats(
  { call, callPage, openSocket, timers, newId, onRefused }: ChatsConnection,
  selfId: string,
  { storage, onOtherFrame = () => undefined, wrapApi = (api) => api, ...rest }: ChatsOptions = {},
  kept?: StoredChats,
): Chats {
  const engine = createChatEngine({
    ...rest,
    selfId,
    api: wrapApi(createChatApi({ call, callPage })),
    openSocket,
    timers,
    newId,
    failureOf: toSendFailure,
    onOtherFrame,
    onRefused,
    ...(storage && { device: storage }),
    ...(kept && { kept }),
  });
  return {
    ...engine,
    onMessage: (listener) => followIncomingMessages(engine, kept, listener),
    answerQuestion: (...answer) => answerQuestion(engine, ...answer),
    changeGroup: (...changes) => changeGroup(engine, ...changes),
    openHeldMessages: (...drafts) => openHeldMessages(engine, ...drafts),
    decideHeldMessage: (...decision) => decideHeldMessage(engine, ...decision),
    withdrawHeldMessage: async ({ conversationId: id, id: heldId }) =>
      void (await call(routes.withdrawHeldMessage, { params: { id, heldId } })),
  };
}

/** Creates the chats of the signed-in account, with what its storage has. */
export async function openChats(connection: ChatsConnection, options: ChatsOptions): Promise<Chats> {
  const { storage } = options;
  const stored = await storage?.readAccount();
  const self = await findSelf(connection, stored?.self, storage);
  const kept = stored?.self && { ...stored, ...(await openOfflineChats(content, stored)) };
  return createChats(connection, self.id, options, kept);
}
