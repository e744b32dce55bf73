import type { OwnDevice } from '@nolo/api';
import { equalBytes, recoverySigner, toUuid, withDescendants, type CheckedList } from '@nolo/e2ee';
import { listsOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { readQuestion } from './forkQuestions.ts';
import { newDigitsOf } from './linkNew.ts';
import { oldDigitsOf } from './linkOld.ts';
import { readLink, toLinkState, type LinkRecord } from './linkRecord.ts';
import { describeNewer } from './newerQuestion.ts';
import { readNotices } from './notices.ts';
import { maySetWords } from './recovery.ts';
import { removableOf } from './removal.ts';
import { findRestart } from './restartQuestion.ts';
import type {
  KeyDevice,
  KeysPhase,
  KeysState,
  LinkRequest,
  RecoveryState,
  VaultRestartQuestion,
  WrappedSeed,
} from './types.ts';
import { isForked, isOpen } from './vault.ts';
import { isJoined, ownDevicesKey, selfIdOf, type Work } from './work.ts';

/** State for the screen, from what a task left behind. */

const seedsOf = ({ reply }: Work): WrappedSeed[] =>
  (reply?.seeds ?? []).map(({ passkeyId, credentialId }) => ({ passkeyId, credentialId }));

function blockedReason({ verdict, vaultVerdict, vault, own }: Work): 'fork' | 'old' | 'version' | null {
  if (verdict === 'version' || vaultVerdict === 'version') return 'version';
  const hasFork = (vault !== undefined && isForked(vault)) || (own?.chain.fork ?? null) !== null;
  const forks: readonly (string | undefined)[] = [verdict, vaultVerdict];
  if (hasFork || forks.includes('fork') || forks.includes('refused')) return 'fork';
  return forks.includes('old') || forks.includes('ahead') ? 'old' : null;
}

export function phaseOf(work: Work): KeysPhase {
  const reason = blockedReason(work);
  if (reason) return { name: 'blocked', reason };
  if (isJoined(work)) return { name: 'ready' };
  if (work.device?.isListed && work.own && work.verdict !== 'changed') return { name: 'removed' };
  const list = work.served?.newest.list;
  if (!list && !work.reply) return { name: 'loading' };
  return {
    name: 'unlinked',
    hasRecovery: list !== undefined && list.recovery !== null,
    passkeys: seedsOf(work),
    hasOtherDevices: list?.devices.some(({ kind }) => kind !== 2) === true,
  };
}

const unknownDevice = (id: string, kind: 0 | 1 | 2, at: number): OwnDevice => ({
  id,
  kind,
  name: '',
  createdAt: new Date(at).toISOString(),
  lastUsedAt: null,
  network: null,
  place: null,
  current: false,
  suspendedAt: null,
  sessionExpired: false,
  sessionId: null,
});

function devicesOf(work: Work, described: readonly OwnDevice[], chain: Chain): KeyDevice[] {
  const { list } = chain.newest;
  const lists = listsOf(chain);
  const removable = removableOf(work);
  return list.devices.map(({ id, kind, addedBy }) => {
    const name = toUuid(id);
    const known = described.find((one) => one.id === name) ?? unknownDevice(name, kind, list.at);
    const isRecovery = addedBy !== null && equalBytes(addedBy, recoverySigner);
    return {
      ...known,
      kind,
      current: selfIdOf(work) === name,
      addedBy: addedBy === null ? null : isRecovery ? 'recovery' : { device: toUuid(addedBy) },
      removable: removable.some((one) => equalBytes(one, id)),
      descendants: withDescendants(lists, [id])
        .map(toUuid)
        .filter((one) => one !== name),
    };
  });
}

function recoveryOf(work: Work, newest: CheckedList | undefined): RecoveryState {
  const isSet = newest !== undefined && newest.list.recovery !== null;
  return { isSet, maySet: !isSet && isJoined(work) && maySetWords(work), passkeys: seedsOf(work) };
}

async function digitsOf(link: LinkRecord | undefined): Promise<string | null> {
  if (link?.is === 'newDigits') return newDigitsOf(link);
  return link?.is === 'oldDigits' ? oldDigitsOf(link) : null;
}

export const loadingState: KeysState = {
  phase: { name: 'loading' },
  deviceId: null,
  devices: [],
  recovery: { isSet: false, maySet: false, passkeys: [] },
  link: null,
  requests: [],
  notices: [],
  peopleVersion: 0,
};

function restartOf(work: Work, devices: readonly KeyDevice[]): VaultRestartQuestion | undefined {
  const asked = findRestart(work);
  const device = asked && devices.find(({ id }) => id === toUuid(asked.device));
  if (!asked || !device) return undefined;
  const { id, name, removable } = device;
  return { device: id, deviceName: name, removable, isDeclined: asked.isAccepted === false };
}

/** Builds the state after a task. */
export async function buildState(
  context: KeyContext,
  work: Work,
  { requests, peopleVersion }: { requests: readonly LinkRequest[]; peopleVersion: number },
): Promise<KeysState> {
  const described = (await context.store.read<OwnDevice[]>(ownDevicesKey)) ?? [];
  const joined = isJoined(work);
  const chain = joined ? work.own?.chain : (work.served ?? work.own?.chain);
  const link = await readLink(context);
  const { vault } = work;
  const forkQuestion = await readQuestion(context, work);
  const devices = chain ? devicesOf(work, described, chain) : [];
  const restart = joined ? restartOf(work, devices) : undefined;
  const newerList = joined && work.newer ? await describeNewer(context, work, work.newer) : undefined;
  return {
    phase: phaseOf(work),
    deviceId: joined ? selfIdOf(work) : null,
    devices,
    recovery: recoveryOf(work, chain?.newest),
    link: toLinkState(link, await digitsOf(link), joined),
    requests: joined ? requests : [],
    notices: await readNotices(context),
    peopleVersion,
    ...(joined && vault && { vault: isOpen(vault) ? (work.isVaultIncomplete ? 'incomplete' : 'open') : 'waiting' }),
    ...(forkQuestion && { forkQuestion }),
    ...(newerList && { newerList }),
    ...(restart && { restart }),
  };
}
