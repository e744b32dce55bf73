import type { StoreKey } from '@nolo/e2ee/storeKey';
import type { SearchAnswer, SearchQuestion, IndexableMessage } from './searchPorts.ts';
import type { SearchIndexStatus } from './searchIndex.ts';

/*
 * Messages between the tabs of an account and the single worker that searches for all of them, over a channel. The
 * worker handles messages one after another, so a result includes everything sent before its query.
 */

export const searchChannelName = (userId: string): string => `nolo-search-${userId}`;

/** Changes of the index, without a response. */
export type IndexUpdate =
  | { readonly type: 'learn'; readonly messages: readonly IndexableMessage[] }
  | { readonly type: 'clear'; readonly conversationId: string; readonly clearedSeq: number }
  | { readonly type: 'hide'; readonly conversationId: string; readonly seq: number }
  | { readonly type: 'forget'; readonly conversationId: string }
  | { readonly type: 'advance'; readonly conversationId: string; readonly from: number | null; readonly to: number }
  | { readonly type: 'begins'; readonly conversationId: string; readonly first: number };

/** Requests. Ids are unique across tabs. */
type SearchRequest =
  | { readonly type: 'hello' }
  | { readonly type: 'ask'; readonly id: string; readonly question: SearchQuestion }
  | { readonly type: 'askStatus'; readonly id: string };

/**
 * Direct message to the worker from the tab that starts it: the account to search for (once) with the key that seals
 * its data on this device, and the lag of the device's clock behind the server's. Undefined as key stands for a browser
 * without keys, null for a storage that fails.
 */
export interface StarterToWorker {
  readonly account?: { readonly userId: string; readonly storeKey: StoreKey | undefined | null };
  readonly aheadMs: number;
}

export type TabToWorker = IndexUpdate | SearchRequest;

export type WorkerToTab =
  /** The worker is ready for messages. Each worker has its own name, because messages to a previous one may be lost. */
  | { readonly type: 'ready'; readonly worker: string }
  /** The browser refuses a database or has no space. */
  | { readonly type: 'failed' }
  | { readonly type: 'answer'; readonly id: string; readonly answer: SearchAnswer | null }
  | { readonly type: 'status'; readonly id: string; readonly status: SearchIndexStatus | null };

const fromWorker: readonly string[] = ['ready', 'failed', 'answer', 'status'] satisfies WorkerToTab['type'][];

export function isTabToWorker(message: TabToWorker | WorkerToTab): message is TabToWorker {
  return !fromWorker.includes(message.type);
}
