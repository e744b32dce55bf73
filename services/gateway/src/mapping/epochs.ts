import type { Epoch, EpochTarget, NewEpoch, VaultRow } from '@nolo/api';
import type {
  Epoch as EpochRow,
  EpochOfChange,
  EpochTarget as EpochTargetRow,
  VaultRow as VaultRowRow,
} from '@nolo/proto/epochs';
import type { NewEpoch as NewEpochRow } from '@nolo/proto/keys';
import { toIsoOrNull } from './chat.ts';
import { fromSigned, toBytes, toSigned, toText, toTextOrNull } from './keys.ts';

/** Converts the epoch of a request. */
export const fromNewEpoch = ({ header, roster, boxes, previousSecret }: NewEpoch): NewEpochRow => ({
  header: fromSigned(header),
  roster: toBytes(roster),
  boxes: boxes.map(({ deviceId, box }) => ({ deviceId, box: toBytes(box) })),
  previousSecret: previousSecret === undefined ? undefined : toBytes(previousSecret),
});

/** Converts the epoch that goes with a change. */
export const fromChangeEpoch = (
  { sessionId }: { readonly sessionId: string },
  body: { readonly epoch?: NewEpoch | undefined } | undefined,
): EpochOfChange | undefined => body?.epoch && { sessionId, epoch: fromNewEpoch(body.epoch) };

export const toEpoch = ({ n = 0, hash, header, seq, changeSeq, at, ...epoch }: EpochRow): Epoch => ({
  n,
  hash: toText(hash),
  ...toSigned(header),
  roster: toTextOrNull(epoch.roster),
  box: toTextOrNull(epoch.box),
  answer: toTextOrNull(epoch.answer),
  recoveryBox: toTextOrNull(epoch.recoveryBox),
  previousSecret: toTextOrNull(epoch.previousSecret),
  seq: seq ?? null,
  changeSeq: changeSeq ?? null,
  at: toIsoOrNull(at),
});

export const toEpochTarget = ({
  type,
  members,
  admission = 0,
  timer = 0,
  leaves,
  additions,
  n,
  ...target
}: EpochTargetRow): EpochTarget => ({
  type: type === 'group' ? 'group' : 'direct',
  members: members.map(({ userId = '', role = 0 }) => ({ userId, role })),
  admission,
  timer,
  leaves: leaves.map(toText),
  additions: additions.map(toText),
  n: n ?? null,
  removalPending: target.removalPending ?? false,
});

export const toVaultRow = ({ row = 0, clientMessageId = '', own, sealed }: VaultRowRow): VaultRow => ({
  row,
  clientMessageId,
  own: own.map(toText),
  sealed: toText(sealed),
});
