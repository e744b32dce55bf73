import type { Answer, Question, SearchedMessage } from './searchPorts.ts';
import type { SearchStatus } from './searchIndex.ts';

/*
 * What the tabs of an account and the one worker that searches for all of them tell each other over a channel. The worker
 * does one thing after the other, so that what a tab told before a question is in its answer.
 */

export const searchChannelName = (userId: string): string => `nolo-search-${userId}`;

/** What changes the index; nobody waits for it. */
export type Telling =
  | { readonly type: 'learn'; readonly messages: readonly SearchedMessage[] }
  | { readonly type: 'clear'; readonly conversationId: string; readonly clearedSeq: number }
  | { readonly type: 'hide'; readonly conversationId: string; readonly seq: number }
  | { readonly type: 'forget'; readonly conversationId: string }
  | { readonly type: 'advance'; readonly conversationId: string; readonly from: number | null; readonly to: number }
  | { readonly type: 'begins'; readonly conversationId: string; readonly first: number };

/** Ids are of the tab's own making, and unlike those of others. */
export type Asking =
  | { readonly type: 'hello' }
  | { readonly type: 'ask'; readonly id: string; readonly question: Question }
  | { readonly type: 'askStatus'; readonly id: string };

/** What the tab that starts the worker says to it directly: whose messages it searches, once, and how far the device's clock is behind the server's. */
export interface FromStarter {
  readonly userId?: string;
  readonly aheadMs: number;
}

export type FromTab = Telling | Asking;

export type FromWorker =
  /** It hears what is told from now on; a name for each worker, for what was told to one before may be lost. */
  | { readonly type: 'ready'; readonly worker: string }
  /** The browser refuses it a database, or has no room. */
  | { readonly type: 'failed' }
  | { readonly type: 'answer'; readonly id: string; readonly answer: Answer | null }
  | { readonly type: 'status'; readonly id: string; readonly status: SearchStatus | null };

const fromWorker: readonly string[] = ['ready', 'failed', 'answer', 'status'] satisfies FromWorker['type'][];

export function isFromTab(message: FromTab | FromWorker): message is FromTab {
  return !fromWorker.includes(message.type);
}
