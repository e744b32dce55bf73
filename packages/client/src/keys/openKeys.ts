import type { Commits } from './conversations/commits.ts';
import { createConversations } from './conversations/openConversations.ts';
import type { Conversations } from './conversations/types.ts';
import { fromUuid, toPasskeyPrfInput, toRecoveryWords, type Bytes } from '@nolo/e2ee';
import { routes } from '@nolo/api';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { agree } from './forkQuestions.ts';
import { createKeyStore } from './keyStore.ts';
import { createKeyTasks, type KeyTasks } from './keyTasks.ts';
import { beginNewLink, endLink, typeOnNew } from './linkNew.ts';
import { answerRequest, confirmScanned, scanCode, typeOnOld } from './linkOld.ts';
import { linkKey, readLink } from './linkRecord.ts';
import { setListAside } from './newerQuestion.ts';
import { dismiss, updateNotices } from './notices.ts';
import {
  acceptPerson,
  codeFor,
  lookUpPeople,
  numberFor,
  scanCodeOf,
  setNewerAside,
  setPersonVerified,
} from './personKeys.ts';
import type { KeysPorts } from './ports.ts';
import { checkWords, createSeed, readWords, recoverAccount, setWords, startOver, wrapSeed } from './recovery.ts';
import { removeDevices } from './removal.ts';
import { answerRestart } from './restarts.ts';
import type { Keys } from './types.ts';
import { createVaultReader, type VaultReader } from './vaultState.ts';
import { isJoined, refreshOwn, type Work } from './work.ts';

type LinkMethods = Pick<
  Keys,
  'beginLink' | 'scanLinkCode' | 'answerLink' | 'confirmLink' | 'typeDigits' | 'cancelLink'
>;

function linkMethods(context: KeyContext, { run, routines }: KeyTasks): LinkMethods {
  const { refresh, resumeLink } = routines;
  return {
    beginLink: (way) =>
      run(async (work) => {
        await refreshOwn(context, work);
        await beginNewLink(context, work, way);
      }),
    scanLinkCode: (content) => run(async (work) => void (await scanCode(context, work, content))),
    answerLink: (linkId) =>
      run(async (work) => {
        await answerRequest(context, work, linkId);
        await resumeLink(work);
      }),
    confirmLink: () =>
      run(async (work) => {
        await confirmScanned(context, await readLink(context));
        await refresh(work);
        await resumeLink(work);
      }),
    typeDigits: (digits) =>
      run(async (work) => {
        const link = await readLink(context);
        if (link?.is === 'newDigits') await typeOnNew(context, link, digits);
        else if (link?.is === 'oldDigits') await typeOnOld(context, link, digits);
        else throw new KeysError('no_link', 'There is no link that waits for digits.');
        await resumeLink(work);
      }),
    cancelLink: () =>
      run(async () => {
        const link = await readLink(context);
        await context.store.write({ [linkKey]: undefined });
        if (link && link.is !== 'ended') await endLink(context, link.id).catch(() => undefined);
      }),
  };
}

type RecoveryMethods = Pick<
  Keys,
  | 'createRecoveryWords'
  | 'setRecovery'
  | 'checkRecoveryWords'
  | 'wrapRecovery'
  | 'unwrapRecovery'
  | 'passkeyInput'
  | 'recover'
  | 'startOver'
>;

function recoveryMethods(context: KeyContext, tasks: KeyTasks, reader: VaultReader) {
  const { run, routines } = tasks;
  const { refresh, settle } = routines;
  /** Seed of the words that were created here: only in memory, until it was wrapped or the keys stop. */
  let created: Bytes | null = null;

  const methods: RecoveryMethods = {
    async createRecoveryWords() {
      created = createSeed();
      return toRecoveryWords(created);
    },
    setRecovery: (current) =>
      run(async (work) => {
        if (!created) throw new KeysError('no_recovery', 'No words were created here.');
        await refresh(work);
        await setWords(context, work, reader, created, current);
        await updateNotices(context, work, true);
        await settle(work);
      }),
    checkRecoveryWords: (words) =>
      run(async (work) => {
        if (!isJoined(work)) await refreshOwn(context, work);
        return checkWords(context, work, words);
      }),
    wrapRecovery: (passkeyId, prf, words) =>
      run(async (work) => {
        const seed = words === undefined ? created : readWords(words);
        if (!seed) throw new KeysError('no_recovery', 'The words are needed.');
        await wrapSeed(context, work, seed, passkeyId, Uint8Array.from(prf));
        await refreshOwn(context, work);
      }),
    unwrapRecovery: (passkeyId) =>
      run(async (work) => {
        await context.call(routes.deleteRecoverySeed, { params: { id: passkeyId } });
        await refreshOwn(context, work);
      }),
    passkeyInput: async () => toPasskeyPrfInput(context.account),
    recover: (by, lost, setsAside) =>
      run(async (work) => {
        await refresh(work);
        await recoverAccount(context, work, reader, by, { lost, setsAside });
        await refresh(work);
        await updateNotices(context, work, true);
        await settle(work);
      }),
    startOver: () =>
      run(async (work) => {
        await refresh(work);
        await startOver(context, work);
        await updateNotices(context, work, true);
        await settle(work);
      }),
  };
  return { methods, forget: () => void (created = null) };
}

type PeopleMethods = Pick<
  Keys,
  'lookUp' | 'numberWith' | 'verificationCode' | 'scanVerificationCode' | 'setVerified' | 'acceptIdentity' | 'setAside'
>;

function peopleMethods(
  context: KeyContext,
  { run, routines }: KeyTasks,
  reader: VaultReader,
  commits: Pick<Commits, 'lookAfterAcceptance'>,
): PeopleMethods {
  const { refresh, settle, changePeople } = routines;
  const decide = <T>(task: (work: Work) => Promise<T>): Promise<T> =>
    run(async (work) => {
      const result = await task(work);
      changePeople();
      await settle(work);
      return result;
    });
  /** Decides, and begins epochs where the decision accepted an identity. */
  const accept = async <T>(task: (work: Work) => Promise<T>): Promise<T> => {
    const result = await decide(task);
    commits.lookAfterAcceptance();
    return result;
  };
  return {
    lookUp: (userIds) => run((work) => lookUpPeople(context, work, reader, userIds)),
    numberWith: (userId) => run((work) => numberFor(context, work, reader, userId)),
    verificationCode: (userId) => run((work) => codeFor(context, work, reader, userId)),
    scanVerificationCode: (userId, content) =>
      accept((work) => scanCodeOf(context, work, reader, userId, content, () => refresh(work))),
    setVerified: (userId, verified) => accept((work) => setPersonVerified(context, work, reader, userId, verified)),
    acceptIdentity: (userId) => accept((work) => acceptPerson(context, work, reader, userId)),
    setAside: (userId) => decide((work) => setNewerAside(context, work, reader, userId)),
  };
}

/** Keys with the conversations that are sealed with them. */
export interface KeysWithConversations extends Keys {
  readonly conversations: Conversations;
}

/**
 * Opens the keys of this device. Nothing is read or sent before `start`. Methods reject with `ApiError`, `KeysError`,
 * or what the storage threw.
 */
export function openKeys(ports: KeysPorts): KeysWithConversations {
  const { call, newId, kind, keyForm, timers, deviceNow } = ports;
  const reader = createVaultReader();
  const account = fromUuid(ports.userId);
  const tasks = createKeyTasks(ports, reader, (storage) => ({
    account,
    call,
    newId,
    kind,
    keyForm,
    store: createKeyStore({ storage, keyForm }),
    // Statements hold whole milliseconds; a corrected clock has fractions.
    now: () => Math.floor(timers.now()),
    deviceNow,
  }));
  const { context, run, routines } = tasks;
  const recovery = recoveryMethods(context, tasks, reader);
  const { conversations, expiries, commits } = createConversations(tasks, reader, timers);
  return {
    conversations,
    subscribe: tasks.subscribe,
    state: tasks.state,
    async start() {
      await tasks.start();
      expiries.start();
      commits.start();
    },
    stop() {
      expiries.stop();
      commits.stop();
      recovery.forget();
      tasks.stop();
    },
    onFrame: tasks.onFrame,
    ...linkMethods(context, tasks),
    ...recovery.methods,
    ...peopleMethods(context, tasks, reader, commits),
    async removeDevices(devices, keep = []) {
      await run(async (work) => {
        await routines.refresh(work);
        await removeDevices(context, work, reader, devices, keep);
        await refreshOwn(context, work);
        await updateNotices(context, work, true);
      });
      commits.look();
    },
    answerRestart: (device, isAccepted) =>
      run(async (work) => {
        await routines.refresh(work);
        await answerRestart(context, work, reader, device, isAccepted);
        await routines.settle(work);
        await updateNotices(context, work, true);
        routines.changePeople();
      }),
    dismissNotice: (id) => run(() => dismiss(context, id)),
    agreeToFork: (id) =>
      run(async (work) => {
        await agree(context, work, id);
        await routines.look(work);
      }),
    setListAside: (id) =>
      run(async (work) => {
        await setListAside(context, work, id);
        await routines.look(work);
      }),
  };
}
