import { findDevice } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { claimIfNeeded } from './claim.ts';
import type { KeyContext } from './context.ts';
import { readFormerId } from './deviceKeys.ts';
import { createFirstKeys, settleFirst } from './firstKeys.ts';
import { continueNewLink } from './linkNew.ts';
import { continueOldLink, listRequests } from './linkOld.ts';
import { ended, readLink, storeLink } from './linkRecord.ts';
import { updateNotices } from './notices.ts';
import { sendPending } from './pendingLists.ts';
import { restoreDevice } from './recovery.ts';
import { findRestart } from './restartQuestion.ts';
import type { LinkRequest } from './types.ts';
import { keepUp } from './upkeep.ts';
import { isOpen } from './vault.ts';
import type { VaultReader } from './vaultState.ts';
import { append, syncVault } from './vaultWork.ts';
import { isCertain, isJoined, refreshOwn, type Work } from './work.ts';

/** Routines of a device: sequences of steps that each leave something durable behind. */
export interface KeyRoutines {
  /** Looks at everything: what is in flight, lists, vault, link, and notices. */
  look(work: Work): Promise<void>;
  /** Ends what is in flight, and looks at lists and vault, before a task signs. */
  refresh(work: Work): Promise<void>;
  resumeLink(work: Work): Promise<void>;
  pollLink(work: Work): Promise<void>;
  /** Appends what waits, if this device can open the vault. */
  append(work: Work): Promise<void>;
  /** Appends what a decision queued. Without a network it waits. */
  settle(work: Work): Promise<void>;
  /** Begins anew: a server that shows an older state gets once what it lost. */
  reset(): void;
  requests(): readonly LinkRequest[];
  peopleVersion(): number;
  /** Tells screens to look at people again. */
  changePeople(): void;
}

/** Brings a device back that the server called removed, once it shows its list again. */
async function restoreIfListed(context: KeyContext, work: Work): Promise<void> {
  const former = await readFormerId(context);
  if (!former || !work.own || work.device?.isListed || work.verdict === 'changed') return;
  if (findDevice(work.own.chain.newest.list, former)) await restoreDevice(context, work);
}

/** Continues a link of either side, up to the opened vault. */
async function continueLink(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const link = await readLink(context);
  if (!link || link.is === 'ended') return;
  if (link.is === 'oldCode' || link.is === 'oldDigits') {
    // The new device gets a box of the vault, which waits until the user decided about a restart.
    if (findRestart(work) && (link.is === 'oldCode' ? link.isConfirmed : link.isTyped)) return;
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

/** Creates the routines of one process. */
export function createKeyRoutines(context: KeyContext, reader: VaultReader): KeyRoutines {
  let requests: readonly LinkRequest[] = [];
  let peopleVersion = 0;
  let hasResent = false;

  async function refresh(work: Work): Promise<void> {
    await settleFirst(context, work, await sendPending(context, work));
    await refreshOwn(context, work);
    if (isCertain(work)) await syncVault(context, work, reader);
  }

  async function appendNow(work: Work): Promise<void> {
    if (isJoined(work) && work.vault && isOpen(work.vault)) await append(context, work, reader);
  }

  return {
    refresh,
    append: appendNow,
    resumeLink: (work) => continueLink(context, work, reader),
    async look(work) {
      const [rows, list] = [work.vault?.rows.length, work.own?.chain.newest.list.n];
      await settleFirst(context, work, await sendPending(context, work));
      await refreshOwn(context, work);
      if (!work.own && work.verdict === 'none') await createFirstKeys(context, work);
      await restoreIfListed(context, work);
      await claimIfNeeded(context, work);
      await keepUp(context, work, reader, { mayResend: !hasResent });
      hasResent = true;
      // A list may remove a device whose decisions about people are then asked again.
      if (work.vault?.rows.length !== rows || work.own?.chain.newest.list.n !== list) peopleVersion += 1;
      await continueLink(context, work, reader);
      requests = isJoined(work) ? await listRequests(context, work.reply?.links ?? []) : [];
      await updateNotices(context, work);
    },
    async pollLink(work) {
      const link = await readLink(context);
      const signs = link?.is === 'oldDigits' && link.isTyped;
      if (signs || (link?.is === 'oldCode' && link.isConfirmed)) await refresh(work);
      await continueLink(context, work, reader);
      await updateNotices(context, work);
    },
    async settle(work) {
      try {
        await appendNow(work);
      } catch (error) {
        if (!(error instanceof ApiError) || !error.passing) throw error;
      }
    },
    reset: () => void (hasResent = false),
    requests: () => requests,
    peopleVersion: () => peopleVersion,
    changePeople: () => void (peopleVersion += 1),
  };
}
