import { routes } from '@nolo/api';
import { findDevice, fromUuid, Refusal, signClaim, toUuid } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { KeyContext } from './context.ts';
import { readFormerId } from './deviceKeys.ts';
import { createFirstKeys, settleFirst } from './firstKeys.ts';
import { KeysError } from './keysError.ts';
import { continueNewLink } from './linkNew.ts';
import { continueOldLink, listRequests } from './linkOld.ts';
import { ended, readLink, storeLink } from './linkRecord.ts';
import { updateNotices } from './notices.ts';
import { sendPending } from './pendingLists.ts';
import { fetchPeople, readPerson } from './people.ts';
import type { KeysPorts, KeyStorage } from './ports.ts';
import { restoreDevice } from './recovery.ts';
import type { Keys, KeysState, LinkRequest } from './types.ts';
import { keepUp } from './upkeep.ts';
import { isOpen, listOutgoing } from './vault.ts';
import type { VaultReader } from './vaultState.ts';
import { append, syncVault } from './vaultWork.ts';
import { toText } from './wire.ts';
import { buildState, loadingState } from './view.ts';
import { isJoined, loadWork, refreshOwn, type Work } from './work.ts';

/** Tasks of a device's keys: each runs alone on state that it reads anew, and ends with the state for the screen. */
export interface KeyTasks extends Pick<Keys, 'subscribe' | 'state' | 'start' | 'stop' | 'onFrame'> {
  readonly context: KeyContext;
  /** Runs a task alone, and publishes what it left behind. */
  run<T>(task: (work: Work) => Promise<T>): Promise<T>;
  /** Ends what is in flight, and looks at lists and vault, before a task signs. */
  refresh(work: Work): Promise<void>;
  /** Appends what a decision queued. Without a network it waits. */
  settle(work: Work): Promise<void>;
  resumeLink(work: Work): Promise<void>;
  /** Tells screens to look at people again. */
  changePeople(): void;
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

/** Continues as the device in this session, after another sign-in (section 3, claim). */
async function claimIfNeeded(context: KeyContext, work: Work): Promise<void> {
  const { device, reply } = work;
  if (!device || !reply || !isJoined(work)) return;
  const id = toUuid(device.id);
  const described = reply.devices.find((one) => one.id === id);
  if (!described || described.current) return;
  const claim = { account: context.account, device: device.id, session: fromUuid(reply.sessionId) };
  const signature = await signClaim(device.signing, claim);
  try {
    await context.call(routes.claimDevice, { params: { id }, body: { signature: toText(signature) } });
  } catch (error) {
    // The session may have another device: what needs one is then refused by the server.
    if (!(error instanceof ApiError) || error.passing) throw error;
    return;
  }
  await refreshOwn(context, work);
}

/** Brings a device back that the server called removed, once it shows its list again. */
async function restoreIfListed(context: KeyContext, work: Work): Promise<void> {
  const former = await readFormerId(context);
  if (!former || !work.own || work.device?.isListed || work.verdict === 'changed') return;
  if (findDevice(work.own.chain.newest.list, former)) await restoreDevice(context, work);
}

interface Clock {
  after(ms: number, task: () => void): () => void;
}

/** One timer per purpose: the earlier of two plans counts. */
function createPlans(clock: Clock) {
  const plans = new Map<string, () => void>();
  return {
    plan(name: string, ms: number, task: () => void): void {
      if (plans.has(name)) return;
      const cancel = clock.after(ms, () => {
        plans.delete(name);
        task();
      });
      plans.set(name, cancel);
    },
    cancel(name: string): void {
      plans.get(name)?.();
      plans.delete(name);
    },
    cancelAll(): void {
      for (const cancel of plans.values()) cancel();
      plans.clear();
    },
  };
}

/** Creates the tasks. `createContext` gets a storage that notes failures and writes. */
export function createKeyTasks(
  ports: KeysPorts,
  reader: VaultReader,
  createContext: (storage: KeyStorage) => KeyContext,
): KeyTasks {
  const { storage, timers, runAlone, announce } = ports;
  const listeners = new Set<(state: KeysState) => void>();
  const plans = createPlans(timers);
  let state = loadingState;
  let requests: readonly LinkRequest[] = [];
  let peopleVersion = 0;
  let isRunning = false;
  let hasResent = false;
  let hasFailed = false;
  let hasWritten = false;
  let retryMs = firstRetryMs;
  /** What the server showed last: it holds until the next look. */
  let shown: Partial<Work> = {};

  const noteFailure = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const context = createContext({
    read: (key) => noteFailure(storage.read(key)),
    list: (prefix) => noteFailure(storage.list(prefix)),
    write(values) {
      hasWritten = true;
      return noteFailure(storage.write(values));
    },
    close: () => storage.close(),
  });

  const publish = (next: KeysState): void => {
    state = next;
    for (const listener of listeners) listener(state);
  };

  async function finish(work: Work): Promise<void> {
    const { reply, verdict, served, vaultVerdict, isVaultIncomplete, hasOldBoxKeys } = work;
    shown = { reply, verdict, served, vaultVerdict, isVaultIncomplete, hasOldBoxKeys };
    publish(await buildState(context, work, { requests, peopleVersion }));
    if (hasWritten) announce?.();
    if (!isRunning) return;
    const link = await readLink(context);
    if (link && link.is !== 'ended') plans.plan('link', linkPollMs, () => inBackground(pollLink));
    const isWaiting = work.vault && isOpen(work.vault) && (await listOutgoing(context, work.vault.id)).length > 0;
    if (isWaiting && isJoined(work)) plans.plan('append', appendMs, () => inBackground(appendNow));
  }

  const run = <T>(task: (work: Work) => Promise<T>): Promise<T> =>
    runAlone(async () => {
      hasWritten = false;
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

  /** Runs a task that nobody waits for. What may succeed later is repeated. */
  function inBackground(task: (work: Work) => Promise<void>): void {
    void run(task).then(
      () => void (retryMs = firstRetryMs),
      () => {
        if (isRunning) planRetry();
      },
    );
  }

  function planRetry(): void {
    plans.plan('look', retryMs * (1 + timers.random() / 2), () => inBackground(look));
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }

  async function resumeLink(work: Work): Promise<void> {
    const link = await readLink(context);
    if (!link || link.is === 'ended') return;
    if (link.is === 'oldCode' || link.is === 'oldDigits') {
      await continueOldLink(context, work, reader, link);
      return;
    }
    const next = await continueNewLink(context, work, link);
    if (next.is === 'ended' || !isJoined(work)) return;
    await refreshOwn(context, work);
    await claimIfNeeded(context, work);
    await keepUp(context, work, reader, { mayResend: false });
    if (work.vault && isOpen(work.vault)) await storeLink(context, ended(link, null));
  }

  async function pollLink(work: Work): Promise<void> {
    const link = await readLink(context);
    const signs = link?.is === 'oldDigits' && link.isTyped;
    if (signs || (link?.is === 'oldCode' && link.isConfirmed)) await refresh(work);
    await resumeLink(work);
    await updateNotices(context, work);
  }

  async function refresh(work: Work): Promise<void> {
    await settleFirst(context, work, await sendPending(context, work));
    await refreshOwn(context, work);
    if (work.verdict === 'same' || work.verdict === 'newer') await syncVault(context, work, reader);
  }

  async function look(work: Work): Promise<void> {
    await settleFirst(context, work, await sendPending(context, work));
    await refreshOwn(context, work);
    if (!work.own && work.verdict === 'none') await createFirstKeys(context, work);
    await restoreIfListed(context, work);
    await claimIfNeeded(context, work);
    const rows = work.vault?.rows.length;
    await keepUp(context, work, reader, { mayResend: !hasResent });
    hasResent = true;
    if (work.vault?.rows.length !== rows) peopleVersion += 1;
    await resumeLink(work);
    requests = isJoined(work) ? await listRequests(context, work.reply?.links ?? []) : [];
    await updateNotices(context, work);
    plans.plan('idle', idleMs, () => inBackground(look));
  }

  const appendNow = (work: Work): Promise<void> => appendIfOpen(context, work, reader);

  async function settle(work: Work): Promise<void> {
    try {
      await appendNow(work);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  async function refreshPerson(userId: string): Promise<void> {
    await run(async (work) => {
      if (isJoined(work) && (await readPerson(context, fromUuid(userId))))
        await fetchPeople(context, work, reader, [userId]);
      peopleVersion += 1;
    });
  }

  async function start(): Promise<void> {
    isRunning = true;
    hasResent = false;
    hasFailed = false;
    if (!globalThis.crypto?.subtle) return publish({ ...state, phase: { name: 'unavailable', reason: 'engine' } });
    try {
      await run(look);
      retryMs = firstRetryMs;
    } catch (error) {
      if (hasFailed) return publish({ ...state, phase: { name: 'unavailable', reason: 'storage' } });
      const isEngine = error instanceof Refusal || (error instanceof KeysError && error.code === 'not_ready');
      if (isEngine && !state.deviceId) return publish({ ...state, phase: { name: 'unavailable', reason: 'engine' } });
      if (!isPassing(error)) throw error;
      planRetry();
    }
  }

  return {
    context,
    run,
    refresh,
    settle,
    resumeLink,
    changePeople: () => void (peopleVersion += 1),
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    start,
    stop() {
      isRunning = false;
      plans.cancelAll();
      void run(appendNow).catch(() => undefined);
    },
    onFrame({ type, data }) {
      if (!isRunning) return;
      const userId = (data as { userId?: unknown } | null)?.userId;
      if (type === 'keys_changed') inBackground(async () => undefined);
      else if (type === 'devices_changed' && typeof userId === 'string' && userId !== ports.userId)
        void refreshPerson(userId).catch(() => undefined);
      else if (liveTypes.has(type)) plans.plan('frame', 0, () => inBackground(look));
    },
  };
}

const liveTypes: ReadonlySet<string> = new Set([
  'devices_changed',
  'device_link_changed',
  'epochs_changed',
  'vault_changed',
]);

/** Appends what waits, if this device is one of the account's and can open the vault. */
async function appendIfOpen(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  if (isJoined(work) && work.vault && isOpen(work.vault)) await append(context, work, reader);
}
