import type { ServerFrame } from '@nolo/api';
import { useEffect } from 'react';
import { ApiError } from '../api/request.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import type { Conversations } from '@nolo/client/keys/conversations/types';
import { keysStore } from '../keys/model/keysStore.ts';
import type { ConversationsClient } from '../keys/model/keysProtocol.ts';
import type { RunningKeys } from '../keys/startKeys.ts';
import { runWhenIdle } from '../ui/scheduler.ts';

/** Delay that gives priority to the first screen and the prefetched lists. */
const afterMs = 4_000;

/** Keys of this tab while they run. */
let running: RunningKeys | undefined;

const keysFrames: readonly string[] = ['devices_changed', 'device_link_changed', 'epochs_changed', 'vault_changed'];

/** Passes a live frame on to the keys. Keys that have not started look at the server when they do. */
export function passFrameToKeys(frame: ServerFrame): void {
  if (keysFrames.includes(frame.type)) running?.onFrame(frame);
}

/** Starts the keys of the signed-in user, unless they run. Undefined while nobody is signed in. */
let begin: (() => Promise<RunningKeys>) | undefined;

const listeners = new Set<(id: string | null) => void>();

const tellConversation = (id: string | null): void => {
  for (const listener of listeners) listener(id);
};

const notReady = (): Error => Object.assign(new Error('No keys here.'), { code: 'not_ready' });

/** Calls a method of the running keys' conversations. Starts the keys if they do not run. */
function ask<M extends keyof ConversationsClient>(method: M): Conversations[M] {
  const call = async (...args: unknown[]): Promise<unknown> => {
    if (!begin) throw notReady();
    const { conversations } = await begin();
    try {
      return await (conversations[method] as (...values: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      // A browser that can keep no keys, or a page that is being left.
      throw (error as { code?: unknown }).code === 'unavailable' ? notReady() : error;
    }
  };
  return call as Conversations[M];
}

/** Sealed conversations of the signed-in user. The keys start with the first call. */
export const conversations: Conversations = {
  open: ask('open'),
  gaps: ask('gaps'),
  overview: ask('overview'),
  listSealed: ask('listSealed'),
  seal: ask('seal'),
  acknowledged: ask('acknowledged'),
  signDeletion: ask('signDeletion'),
  deletionAcknowledged: ask('deletionAcknowledged'),
  standing: ask('standing'),
  answer: ask('answer'),
  change: ask('change'),
  createInvite: ask('createInvite'),
  signEntry: ask('signEntry'),
  signAdditions: ask('signAdditions'),
  signLeave: ask('signLeave'),
  // Keys that have not started look at the server when they do.
  onFrame: (frame) => running?.onConversationsFrame(frame),
  subscribe(listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Keeps the keys of the signed-in user. They start when the app is idle, or as soon as something needs them. */
export function useKeys(engine: ChatEngine): void {
  const { selfId } = engine.store.getState();
  useEffect(() => {
    let ended = false;
    let own: Promise<RunningKeys> | undefined;
    const load = async (): Promise<RunningKeys> => {
      const { startKeys } = await import('../keys/startKeys.ts').catch((error: unknown) => {
        // Offline and never loaded before: the next call tries again.
        own = undefined;
        throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
      });
      if (ended) throw notReady();
      return (running = startKeys(selfId, tellConversation));
    };
    const beginOwn = (): Promise<RunningKeys> => (own ??= load());
    const beginQuietly = (): void => void beginOwn().catch(() => undefined);
    begin = beginOwn;
    let cancelIdle = (): void => undefined;
    const timer = setTimeout(() => (cancelIdle = runWhenIdle(beginQuietly)), afterMs);
    const beginIfWanted = (): void => {
      if (keysStore.getState().wanted) beginQuietly();
    };
    beginIfWanted();
    const unsubscribe = keysStore.subscribe(beginIfWanted);
    const stopWatching = engine.store.subscribe(({ connection }, before) => {
      // Frames were missed while the socket was disconnected.
      if (connection === 'open' && before.connection !== 'open') running?.onFrame({ type: 'vault_changed', data: {} });
    });
    return () => {
      ended = true;
      clearTimeout(timer);
      cancelIdle();
      unsubscribe();
      stopWatching();
      if (begin === beginOwn) begin = undefined;
      own
        ?.then((keys) => {
          keys.stop();
          if (running === keys) running = undefined;
        })
        .catch(() => undefined);
    };
  }, [engine, selfId]);
}
