import type { OwnDevice } from '@nolo/api';
import { changeTypes, equalBytes, findDevice, readHeader, toUuid, type Bytes, type CheckedList } from '@nolo/e2ee';
import { listAt, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import type { KeyNotice } from './types.ts';
import { memberOf } from './vault.ts';
import { nameOf } from './wire.ts';
import { isJoined, type Work } from './work.ts';

/** Notices of what other devices did, from the last list that the user saw to the newest accepted one. */

const noticesKey = 'notices';
const seenKey = 'seenList';
/** Dismissed notices of identities and forks, which this device would find again. */
const dismissedKey = 'dismissedNotices';
const namesKey = 'deviceNames';

interface SeenList {
  readonly identity: Bytes;
  readonly n: number;
}

type Names = Readonly<Record<string, string>>;

export const readNotices = async ({ store }: KeyContext): Promise<KeyNotice[]> =>
  (await store.read<KeyNotice[]>(noticesKey)) ?? [];

const toTime = (at: number): string => new Date(at).toISOString();

/** Differences of a list from the one before, unless this device made them. */
function noticesOf(before: CheckedList, { list }: CheckedList, self: Bytes, names: Names): KeyNotice[] {
  const { n } = list;
  const at = toTime(list.at);
  const nameFor = (id: Bytes) => names[toUuid(id)] ?? '';
  const isOwn = equalBytes(list.signer, self) || findDevice(before.list, self) === undefined;
  if (isOwn) return [];
  const added = list.devices
    .filter(({ id }) => !findDevice(before.list, id) && !equalBytes(id, self))
    .map(({ id }) => ({ id: `added:${n}:${toUuid(id)}`, kind: 'device_added' as const, deviceName: nameFor(id), at }));
  const removed = before.list.devices
    .filter(({ id }) => !findDevice(list, id))
    .map(({ id }) => ({
      id: `removed:${n}:${toUuid(id)}`,
      kind: 'device_removed' as const,
      deviceName: nameFor(id),
      at,
    }));
  const [was, is] = [before.list.recovery, list.recovery];
  const isChanged = is !== null && (was === null || !equalBytes(was.signKey, is.signKey));
  const kind = was === null ? ('recovery_set' as const) : ('recovery_replaced' as const);
  return [...added, ...removed, ...(isChanged ? [{ id: `recovery:${n}`, kind, at }] : [])];
}

function collect(chain: Chain, seen: SeenList, self: Bytes, names: Names): KeyNotice[] {
  const notices: KeyNotice[] = [];
  for (let n = seen.n + 1; n < chain.hashes.length; n += 1) {
    const [before, list] = [listAt(chain, n - 1), listAt(chain, n)];
    if (before && list) notices.push(...noticesOf(before, list, self, names));
  }
  return notices;
}

/** Returns the name of a device, also of a removed one. */
export async function readNameOf({ store }: KeyContext, device: Bytes): Promise<string> {
  return (await store.read<Names>(namesKey))?.[toUuid(device)] ?? '';
}

/** Remembers names, so that a notice of a removed device can name it. */
async function rememberNames({ store }: KeyContext, devices: readonly OwnDevice[]): Promise<Names> {
  const known = (await store.read<Names>(namesKey)) ?? {};
  const names = { ...known, ...Object.fromEntries(devices.map(({ id, name }) => [id, name])) };
  if (devices.some(({ id, name }) => known[id] !== name)) await store.write({ [namesKey]: names });
  return names;
}

/** Notices of another identity that the server serves, which this device has no part in. */
const identityNotices = ({ verdict, served }: Work): KeyNotice[] =>
  verdict === 'changed' && served
    ? [{ id: `identity:${nameOf(served.identity)}`, kind: 'identity_replaced', at: toTime(served.newest.list.at) }]
    : [];

/** Notices of forks of the vault that ended while this device was one of its devices. */
function forkNotices({ vault, device }: Work): KeyNotice[] {
  return (vault?.epochs ?? []).flatMap((epoch, at): KeyNotice[] => {
    const { changes, at: time } = readHeader(epoch.statement);
    const before = vault?.epochs[at - 1];
    const wasThere = before && memberOf(before)?.devices.some((one) => device && equalBytes(one, device.id));
    if (!wasThere || changes.every(({ type }) => type !== changeTypes.resolve)) return [];
    return [{ id: `fork:${nameOf(epoch.hash)}`, kind: 'fork_resolved', at: toTime(time) }];
  });
}

/**
 * Adds notices of what the newest list has and the user has not seen.
 *
 * @param isOwnDoing true if everything new was done by this device, so there is nothing to say
 */
export async function updateNotices(context: KeyContext, work: Work, isOwnDoing = false): Promise<void> {
  const { own, device } = work;
  if (!own || !device) return;
  const { chain } = own;
  const names = await rememberNames(context, work.reply?.devices ?? []);
  const seen = await context.store.read<SeenList>(seenKey);
  const isSame = seen && equalBytes(seen.identity, chain.identity);
  const news = isSame && !isOwnDoing && device.isListed ? collect(chain, seen, device.id, names) : [];
  const known = await readNotices(context);
  const dismissed = (await context.store.read<string[]>(dismissedKey)) ?? [];
  const fresh = [...news, ...identityNotices(work), ...forkNotices(work)].filter(
    ({ id }) => known.every((one) => one.id !== id) && !dismissed.includes(id),
  );
  const now: SeenList = { identity: chain.identity, n: chain.newest.list.n };
  const isSeen = isSame && seen.n === now.n;
  if (fresh.length === 0 && (isSeen || !isJoined(work))) return;
  const shown = [...known, ...fresh];
  await context.store.write({ [noticesKey]: shown, ...(isJoined(work) && { [seenKey]: now }) });
}

export async function dismiss(context: KeyContext, id: string): Promise<void> {
  const notices = await readNotices(context);
  const dismissed = (await context.store.read<string[]>(dismissedKey)) ?? [];
  const isShownAgain = notices.some(
    (one) => one.id === id && (one.kind === 'identity_replaced' || one.kind === 'fork_resolved'),
  );
  await context.store.write({
    [noticesKey]: notices.filter((one) => one.id !== id),
    ...(isShownAgain && { [dismissedKey]: [...dismissed, id] }),
  });
}

/** Values that warn the user: the words opened no box of the vault, so this device restarted it (section 3). */
export async function toRestartWarning(context: KeyContext): Promise<Record<string, unknown>> {
  const at = context.now();
  const notice: KeyNotice = { id: `vault:${at}`, kind: 'vault_restarted', at: toTime(at) };
  return { [noticesKey]: [...(await readNotices(context)), notice] };
}
