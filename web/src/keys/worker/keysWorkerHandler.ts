import { ApiError } from '@nolo/client/http/request';
import { NewerListError } from '@nolo/client/keys/keysError';
import type { KeysWithConversations } from '@nolo/client/keys/openKeys';
import type { CarriedError, TabToWorker, Unavailable, WorkerMethod, WorkerToTab } from '../model/keysProtocol.ts';

interface Surroundings {
  /** Opens the keys of an account, which its tab stores. */
  open(userId: string, storage: MessagePort): KeysWithConversations;
  /** Returns why keys cannot work here; null if they can. */
  lacks(): Unavailable | null;
  post(message: WorkerToTab): void;
  setClock(aheadMs: number): void;
}

/** Returns the parts of an error that the tab needs. */
function carryError(error: unknown): CarriedError {
  if (error instanceof ApiError) {
    const { status, code, serverMessage: message, details, retryAfterMs } = error;
    return { kind: 'api', status, code, message, details, retryAfterMs };
  }
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  return {
    kind: 'keys',
    code: typeof code === 'string' ? code : 'failed',
    message,
    ...(error instanceof NewerListError && { newer: error.newer }),
  };
}

/** Returns the handler for messages from the worker's tab. */
export function createKeysWorkerHandler({ open, lacks, post, setClock }: Surroundings): (message: TabToWorker) => void {
  let keys: KeysWithConversations | null = null;

  const start = (userId: string, storage: MessagePort): void => {
    const lacking = lacks();
    if (lacking !== null) return post({ type: 'unavailable', reason: lacking });
    keys = open(userId, storage);
    keys.subscribe((state) => post({ type: 'state', state }));
    keys.conversations.subscribe((id) => post({ type: 'conversation_changed', id }));
    post({ type: 'state', state: keys.state() });
    // The engine reports in its state what it cannot do, and tries again.
    keys.start().catch(() => undefined);
  };

  const call = async ({ of, method }: WorkerMethod, args: readonly unknown[]): Promise<unknown> => {
    if (keys === null) throw Object.assign(new Error('No keys here.'), { code: 'unavailable' });
    const called = of === 'keys' ? keys[method] : keys.conversations[method];
    return (called as (...values: readonly unknown[]) => Promise<unknown>)(...args);
  };

  return (message) => {
    switch (message.type) {
      case 'start':
        setClock(message.aheadMs);
        return start(message.userId, message.storage);
      case 'clock':
        return setClock(message.aheadMs);
      case 'frame':
        return keys?.onFrame(message.frame);
      case 'conversations_frame':
        return keys?.conversations.onFrame(message.frame);
      case 'call': {
        const { id, args } = message;
        call(message, args).then(
          (value) => post({ type: 'answer', id, value }),
          (error: unknown) => post({ type: 'refusal', id, error: carryError(error) }),
        );
      }
    }
  };
}
