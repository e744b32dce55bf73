import { ApiError } from '@nolo/client/http/request';
import { NewerListError } from '@nolo/client/keys/keysError';
import type { Keys } from '@nolo/client/keys/types';
import type { CarriedError, TabToWorker, Unavailable, WorkerToTab } from '../model/keysProtocol.ts';

interface Surroundings {
  /** Opens the keys of an account. Rejects if nothing can be stored here. */
  open(userId: string): Promise<Keys>;
  /** Returns why keys cannot work here; null if they can. */
  lacks(): Unavailable | null;
  post(message: WorkerToTab): void;
  setClock(aheadMs: number): void;
}

/** Returns the parts of an error that the tab needs. */
export function carryError(error: unknown): CarriedError {
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

/** Returns the handler for messages from the worker's tab. Calls wait until the keys are open. */
export function createKeysWorkerHandler({ open, lacks, post, setClock }: Surroundings): (message: TabToWorker) => void {
  let opened: Promise<Keys | null> = Promise.resolve(null);

  const openFor = async (userId: string): Promise<Keys | null> => {
    const lacking = lacks();
    const keys = lacking === null ? await open(userId).catch(() => null) : null;
    if (keys === null) {
      post({ type: 'unavailable', reason: lacking ?? 'storage' });
      return null;
    }
    keys.subscribe((state) => post({ type: 'state', state }));
    post({ type: 'state', state: keys.state() });
    // The engine reports in its state what it cannot do, and tries again.
    keys.start().catch(() => undefined);
    return keys;
  };

  return (message) => {
    switch (message.type) {
      case 'start':
        setClock(message.aheadMs);
        opened = openFor(message.userId);
        return;
      case 'clock':
        return setClock(message.aheadMs);
      case 'frame':
        void opened.then((keys) => keys?.onFrame(message.frame));
        return;
      case 'call': {
        const { id, method, args } = message;
        opened
          .then((keys) => {
            if (keys === null) throw Object.assign(new Error('No keys here.'), { code: 'unavailable' });
            return (keys[method] as (...values: readonly unknown[]) => Promise<unknown>)(...args);
          })
          .then(
            (value) => post({ type: 'answer', id, value }),
            (error: unknown) => post({ type: 'refusal', id, error: carryError(error) }),
          );
      }
    }
  };
}
