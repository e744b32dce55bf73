import { changeTypes, equalBytes, findMember, toUuid, type Bytes, type Change, type Header } from '@nolo/e2ee';
import { nameOf } from '../wire.ts';
import { epochMs, headerOf, lastsMs, membersOf, type Conversation, type ConversationEpoch } from './conversation.ts';
import type { HeaderLine } from './types.ts';

/** Lines about members and settings, which come from headers alone (docs/encryption.md, section 4, Names). */

type LineChange = HeaderLine['change'];

function toLine(change: Change): LineChange | null {
  const userId = toUuid(change.account);
  switch (change.type) {
    case 0:
      return { kind: change.evidence ? 'added' : 'joined', userId };
    case 1:
      return { kind: 'removed', userId };
    case 2:
      return { kind: 'left', userId };
    case 4:
      return { kind: 'role', userId, role: change.role };
    case 5:
      if (change.setting.field === 1) return { kind: 'timer', seconds: change.setting.value };
      return change.setting.field === 0 ? { kind: 'admission', isOpen: change.setting.value === 1 } : null;
    case 6:
      return { kind: 'identity_changed', userId };
    case 8:
      return { kind: 'resolved' };
    case 3:
    case 7:
      return null;
  }
}

const signerOf = ({ evidence }: Change): string | null => (evidence?.by === 'member' ? toUuid(evidence.account) : null);

const startOf = ({ reason }: Header): LineChange | null => {
  if (reason === 3) return { kind: 'restarted' };
  if (reason === 4) return { kind: 'started_by_server_members' };
  return reason === 0 ? { kind: 'started' } : null;
};

const renewed = { kind: 'renewed' } as const;

/** Account in whose roster entry a device was. */
const ownerOf = (epochs: readonly ConversationEpoch[], device: Bytes): Bytes | undefined =>
  epochs.flatMap(({ devices }) => devices).find((one) => equalBytes(one.device, device))?.account;

function deviceLines(
  { leftOut }: Header,
  before: Header | undefined,
  epoch: ConversationEpoch,
  epochs: readonly ConversationEpoch[],
): LineChange[] {
  const had = before?.leftOut ?? [];
  const line = (kind: 'device_left_out' | 'device_returned', device: Bytes): LineChange[] => {
    const account = ownerOf(epochs, device);
    return account ? [{ kind, userId: toUuid(account), device: toUuid(device) }] : [];
  };
  const isIn = (list: Header['leftOut'], device: Bytes) => list.some((one) => equalBytes(one.device, device));
  const isBack = (device: Bytes) => epoch.devices.some((one) => equalBytes(one.device, device));
  return [
    ...leftOut.filter(({ device }) => !isIn(had, device)).flatMap(({ device }) => line('device_left_out', device)),
    ...had
      .filter(({ device }) => !isIn(leftOut, device) && isBack(device))
      .flatMap(({ device }) => line('device_returned', device)),
  ];
}

/** Returns the accounts for which a header names a newer list with a device that was not there before. */
function enlargedIn({ changes }: Header, before: ConversationEpoch, epoch: ConversationEpoch): string[] {
  const had = [...before.devices, ...headerOf(before).leftOut].map(({ device }) => nameOf(device));
  const hadList = (account: Bytes) => findMember(membersOf(before), account)?.list != null;
  return changes
    .filter(({ type, account }) => type === changeTypes.list && hadList(account))
    .filter(({ account }) =>
      epoch.devices.some((one) => equalBytes(one.account, account) && !had.includes(nameOf(one.device))),
    )
    .map(({ account }) => toUuid(account));
}

/** Difference that clocks of devices and the server may have. */
const clocksMs = 60_000;

/** Returns true for a header without changes that came before the time of the epoch before was over. */
function isEarly({ reason }: Header, before: ConversationEpoch, epoch: ConversationEpoch): boolean {
  const { timer } = headerOf(before);
  const lasts = timer > 0 ? lastsMs(timer) : epochMs;
  return reason === 2 && epoch.place.at - before.place.at < lasts - clocksMs;
}

/**
 * Returns the lines of all headers that this device checked, in order. Those about new devices are of all people, and
 * shown for verified ones.
 */
function linesOf({ epochs, switched }: Conversation): HeaderLine[] {
  return epochs.flatMap((epoch, index) => {
    const header = headerOf(epoch);
    const before = epochs[index - 1];
    const base = { seq: epoch.place.seq, epoch: epoch.n, at: header.at };
    const isSwitched = switched.some(({ hash }) => equalBytes(hash, epoch.hash));
    const start = startOf(header);
    const committer = toUuid(header.account);
    // The additions of header 0 are the start itself.
    const changes = header.n === 0 ? header.changes.filter(({ type }) => type === 5) : header.changes;
    return [
      ...(isSwitched ? [{ ...base, by: null, change: { kind: 'switched' } as const }] : []),
      ...(start ? [{ ...base, by: committer, change: start }] : []),
      ...(before && isEarly(header, before, epoch) ? [{ ...base, by: committer, change: renewed }] : []),
      ...changes.flatMap((one) => {
        const change = toLine(one);
        return change ? [{ ...base, by: signerOf(one), change }] : [];
      }),
      ...(before ? enlargedIn(header, before, epoch) : []).map((userId) => ({
        ...base,
        by: null,
        change: { kind: 'device_added', userId } as const,
      })),
      ...(index > 0 ? deviceLines(header, before && headerOf(before), epoch, epochs) : []).map((change) => ({
        ...base,
        by: committer,
        change,
      })),
    ];
  });
}

/**
 * Returns the lines of a conversation that are shown.
 *
 * @param verifiedOf returns those of people whom the user verified; it is called only if somebody has a new device
 */
export async function shownLinesOf(
  conversation: Conversation,
  verifiedOf: (userIds: readonly string[]) => Promise<readonly string[]>,
): Promise<HeaderLine[]> {
  const lines = linesOf(conversation);
  const enlarged = lines.flatMap(({ change }) => (change.kind === 'device_added' ? [change.userId] : []));
  if (enlarged.length === 0) return lines;
  const verified = await verifiedOf([...new Set(enlarged)]);
  return lines.filter(({ change }) => change.kind !== 'device_added' || verified.includes(change.userId));
}
