import { ApiError } from '../../api/request.ts';
import {
  conversationMethods,
  keysMethods,
  type CarriedError,
  type ConversationsClient,
  type ConversationsFrame,
  type KeysClient,
  type KeysFrame,
  type TabToWorker,
  type Unavailable,
  type WorkerMethod,
  type WorkerToTab,
} from './keysProtocol.ts';
import type { KeysState, NewerList } from '@nolo/client/keys/types';

/** Refusal of the keys themselves. The codes are those of the engine. */
export class KeysFailure extends Error {
  readonly code: string;
  /** List that the vault knows and the server does not show: of `newer_in_vault`. */
  readonly newer: NewerList | undefined;

  constructor(code: string, message: string, newer?: NewerList) {
    super(message);
    this.name = 'KeysFailure';
    this.code = code;
    this.newer = newer;
  }
}

/** Returns true if words are not the recovery words of the account. */
export const isWrongWords = (error: unknown): boolean => error instanceof KeysFailure && error.code === 'wrong_words';

/** Returns the list about which the user decides before a recovery goes on; undefined for other errors. */
export const newerListOf = (error: unknown): NewerList | undefined =>
  error instanceof KeysFailure ? error.newer : undefined;

/** Worker as far as the client needs it. */
export interface KeysWorker {
  postMessage(message: TabToWorker, transferred?: Transferable[]): void;
  onmessage: ((event: MessageEvent<WorkerToTab>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

interface Events {
  onState(state: KeysState): void;
  onUnavailable(reason: Unavailable): void;
  /** Reports that rows or the standing of a conversation may have changed; null: of any. */
  onConversation(id: string | null): void;
}

function toError(carried: CarriedError): Error {
  if (carried.kind === 'keys') return new KeysFailure(carried.code, carried.message, carried.newer);
  const { status, code, message, details, retryAfterMs } = carried;
  return new ApiError(status, { code, message, details }, message, retryAfterMs);
}

/** Opens a tab's connection to its worker. Calls reject with `ApiError` or `KeysFailure`. */
export function createKeysClient(worker: KeysWorker, { onState, onUnavailable, onConversation }: Events) {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let broken = false;
  let heard = false;
  const give = (): void => {
    for (const { reject } of waiting.values()) reject(new KeysFailure('unavailable', 'No keys here.'));
    waiting.clear();
  };

  worker.onmessage = ({ data }) => {
    heard = true;
    switch (data.type) {
      case 'state':
        return onState(data.state);
      case 'unavailable':
        return onUnavailable(data.reason);
      case 'conversation_changed':
        return onConversation(data.id);
      case 'answer':
        waiting.get(data.id)?.resolve(data.value);
        return void waiting.delete(data.id);
      case 'refusal':
        waiting.get(data.id)?.reject(toError(data.error));
        waiting.delete(data.id);
    }
  };
  worker.onerror = () => {
    // Later errors concern one task. Before the first message, the browser cannot load or run the worker.
    if (heard) return;
    broken = true;
    give();
    onUnavailable('engine');
  };

  const call = (method: WorkerMethod, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (broken) return reject(new KeysFailure('unavailable', 'No keys here.'));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ type: 'call', id: lastId, args, ...method });
    });

  const toPort = (methods: readonly WorkerMethod[]) =>
    Object.fromEntries(
      methods.map((method) => [method.method, (...args: readonly unknown[]) => call(method, args)]),
    ) as unknown;
  return {
    keys: toPort(keysMethods.map((method) => ({ of: 'keys', method }))) as KeysClient,
    conversations: toPort(
      conversationMethods.map((method) => ({ of: 'conversations', method })),
    ) as ConversationsClient,
    start: (userId: string, aheadMs: number, storage: MessagePort) =>
      worker.postMessage({ type: 'start', userId, aheadMs, storage }, [storage]),
    setClock: (aheadMs: number) => worker.postMessage({ type: 'clock', aheadMs }),
    onFrame: (frame: KeysFrame) => worker.postMessage({ type: 'frame', frame }),
    onConversationsFrame: (frame: ConversationsFrame) => worker.postMessage({ type: 'conversations_frame', frame }),
    stop(): void {
      broken = true;
      worker.terminate();
      give();
    },
  };
}
