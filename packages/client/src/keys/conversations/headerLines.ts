import { equalBytes, toUuid, type Bytes, type Change, type Header } from '@nolo/e2ee';
import { headerOf, type Conversation, type ConversationEpoch } from './conversation.ts';
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

/** Returns the lines of all headers that this device checked, in order. */
export function linesOf({ epochs, switched }: Conversation): HeaderLine[] {
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
      ...changes.flatMap((one) => {
        const change = toLine(one);
        return change ? [{ ...base, by: signerOf(one), change }] : [];
      }),
      ...(index > 0 ? deviceLines(header, before && headerOf(before), epoch, epochs) : []).map((change) => ({
        ...base,
        by: committer,
        change,
      })),
    ];
  });
}
