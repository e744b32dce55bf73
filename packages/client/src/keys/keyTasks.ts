import { fromUuid, Refusal, toUuid } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { KeyContext } from './context.ts';
import { createKeyRoutines, type KeyRoutines } from './keyRoutines.ts';
import { KeysError } from './keysError.ts';
import { readLink } from './linkRecord.ts';
import { fetchPeople, readPerson } from './people.ts';
import { createPlans } from './plans.ts';
import type { KeysPorts, KeyStorage } from './ports.ts';
import type { Keys, KeysState } from './types.ts';
import { isOpen, listOutgoing } from './vault.ts';
import type { VaultReader } from './vaultState.ts';
import { buildState, loadingState } from './view.ts';
import { isJoined, loadWork, type Work } from './work.ts';

/** Tasks of a device's keys: each runs alone on state that it reads anew, and ends with the state for the screen. */
export interface KeyTasks extends Pick<Keys, 'subscribe' | 'state' | 'start' | 'stop' | 'onFrame'> {
  readonly context: KeyContext;
  readonly routines: KeyRoutines;
  /** Returns true for the id of the own vault, and for any while the vault is not known. */
  isVault(id: string): boolean;
  /** Runs a task that needs none of the keys' state alone. */
  readonly runAlone: KeysPorts['runAlone'];
  /** Runs a task alone, and publishes what it left behind. */
  run<T>(task: (work: Work) => Promise<T>): Promise<T>;
}

/** Time after which queued records are appended; the paper allows 30 s. */
const appendMs = 10_000;
/** Time after which a link is looked at again, in case a frame was lost. */
const linkPollMs = 2_000;
const firstRetryMs = 5_000;
const maxRetryMs = 300_000;
/** Time after which a running device looks again without a reason. */
const idleMs = 6 * 3_600_000;

const isPassing = (error: unknown): boolean => error instanceof ApiError && error.passing;

/** Frames after which a device looks at the server. */
const liveTypes: ReadonlySet<string> = new Set(['devices_changed', 'device_link_changed', 'epochs_changed']);

/** Notes failures and writes of a storage. */
function watchStorage(storage: KeyStorage) {
  const noted = { hasFailed: false, hasWritten: false };
  const note = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      noted.hasFailed = true;
      throw error;
    }
  };
  const watched: KeyStorage = {
    read: (key) => note(storage.read(key)),
    list: (prefix) => note(storage.list(prefix)),
    write(values) {
      noted.hasWritten = true;
      return note(storage.write(values));
    },
    close: () => storage.close(),
  };
  return { watched, noted };
}

/** Publishes states to listeners. */
function createPublisher() {
  const listeners = new Set<(state: KeysState) => void>();
  let state = loadingState;
  return {
    state: () => state,
    publish(next: KeysState): void {
      state = next;
      for (const listener of listeners) listener(state);
    },
    subscribe(listener: (state: KeysState) => void): () => void {
      listeners.add(listener);
      listener(state);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns true if a frame is about another conversation than the vault. */
function isOfOther(data: unknown, isVault: (id: string) => boolean): boolean {
  const id = (data as { conversationId?: unknown } | null)?.conversationId;
  return typeof id === 'string' && !isVault(id);
}

/** Runs tasks alone, each with what the storage has when it begins. */
const runWithFreshStore =
  ({ runAlone }: KeysPorts, { store }: KeyContext): KeysPorts['runAlone'] =>
  (task) =>
    runAlone(async () => {
      await store.begin();
      return task();
    });

/** Looks at a person's devices again if they were seen before. Returns true if so. */
async function refreshKnown(context: KeyContext, work: Work, reader: VaultReader, userId: string): Promise<boolean> {
  if (!isJoined(work) || !(await readPerson(context, fromUuid(userId)))) return false;
  await fetchPeople(context, work, reader, [userId], { boxKeys: false });
  return true;
}

/** Creates the tasks. `createContext` gets a storage that notes failures and writes. */
export function createKeyTasks(
  ports: KeysPorts,
  reader: VaultReader,
  createContext: (storage: KeyStorage) => KeyContext,
): KeyTasks {
  const { timers, announce } = ports;
  const plans = createPlans(timers);
  const { watched, noted } = watchStorage(ports.storage);
  const context = createContext(watched);
  const runAlone = runWithFreshStore(ports, context);
  const routines = createKeyRoutines(context, reader);
  const { state, publish, subscribe } = createPublisher();
  let isRunning = false;
  let retryMs = firstRetryMs;
  let vaultId: string | undefined;
  /** Rows of the vault of which frames told, and which were not looked at. */
  const arrived = new Set<unknown>();
  /** Replies of the server that hold until the next look. */
  let shown: Partial<Work> = {};

  async function planNext(work: Work): Promise<void> {
    const link = await readLink(context);
    const isWaiting = work.vault && isOpen(work.vault) && (await listOutgoing(context, work.vault.id)).length > 0;
    if (!isRunning) return;
    if (link && link.is !== 'ended') plans.plan('link', linkPollMs, () => inBackground(routines.pollLink));
    if (isWaiting && isJoined(work)) plans.plan('append', appendMs, () => inBackground(routines.append));
    plans.plan('idle', idleMs, () => inBackground(routines.look));
  }

  const isVault = (id: string): boolean => vaultId === undefined || id === vaultId;

  async function finish(work: Work): Promise<void> {
    vaultId = work.vault && toUuid(work.vault.id);
    const { reply, verdict, served, vaultVerdict, newer, servesVault, isVaultIncomplete, hasOldBoxKeys } = work;
    shown = { reply, verdict, served, vaultVerdict, newer, servesVault, isVaultIncomplete, hasOldBoxKeys };
    const extras = { requests: routines.requests(), peopleVersion: routines.peopleVersion() };
    publish(await buildState(context, work, extras));
    if (noted.hasWritten) announce?.();
    if (isRunning) await planNext(work);
  }

  const run = <T>(task: (work: Work) => Promise<T>): Promise<T> =>
    runAlone(async () => {
      noted.hasWritten = false;
      const work: Work = { ...(await loadWork(context)), ...shown };
      let result: T;
      try {
        result = await task(work);
      } catch (error) {
        await finish(work).catch(() => undefined);
        throw error;
      }
      await finish(work);
      return result;
    });

  /** Runs a task that nobody waits for. A failed one is followed by a look, later each time. */
  function inBackground(task: (work: Work) => Promise<void>): void {
    void run(task).then(
      () => void (retryMs = firstRetryMs),
      () => {
        if (isRunning) planRetry();
      },
    );
  }

  function planRetry(): void {
    plans.plan('look', retryMs * (1 + timers.random() / 2), () => inBackground(routines.look));
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }

  /** Looks at the server, unless this device has the rows that arrived: then it appended them itself. */
  async function lookAtVault(work: Work): Promise<void> {
    const rows = [...arrived];
    arrived.clear();
    if (rows.some((row) => !work.vault?.rows.some((known) => known.row === row))) await routines.look(work);
  }

  const refreshPerson = (userId: string): Promise<void> =>
    run(async (work) => {
      if (await refreshKnown(context, work, reader, userId)) routines.changePeople();
    });

  const unavailable = (reason: 'storage' | 'engine'): void =>
    publish({ ...state(), phase: { name: 'unavailable', reason } });

  async function start(): Promise<void> {
    isRunning = true;
    noted.hasFailed = false;
    routines.reset();
    if (!globalThis.crypto?.subtle) return unavailable('engine');
    try {
      await run(routines.look);
      retryMs = firstRetryMs;
    } catch (error) {
      if (noted.hasFailed) return unavailable('storage');
      const isEngine = error instanceof Refusal || (error instanceof KeysError && error.code === 'not_ready');
      if (isEngine && !state().deviceId) return unavailable('engine');
      if (!isPassing(error)) throw error;
      planRetry();
    }
  }

  return {
    context,
    routines,
    isVault,
    runAlone,
    run,
    subscribe,
    state,
    start,
    stop() {
      isRunning = false;
      plans.cancelAll();
      void run(routines.append).catch(() => undefined);
    },
    onFrame({ type, data }) {
      if (!isRunning) return;
      const userId = (data as { userId?: unknown } | null)?.userId;
      // Reads the storage again, which another tab changed.
      if (type === 'keys_changed') {
        context.store.forget();
        inBackground(async () => undefined);
      } else if (type === 'devices_changed' && typeof userId === 'string' && userId !== ports.userId)
        void refreshPerson(userId).catch(() => undefined);
      else if (type === 'epochs_changed' && isOfOther(data, isVault)) return;
      else if (type === 'vault_changed') {
        arrived.add((data as { row?: unknown } | null)?.row);
        plans.plan('vault', 0, () => inBackground(lookAtVault));
      } else if (liveTypes.has(type)) plans.plan('frame', 0, () => inBackground(routines.look));
    },
  };
}
