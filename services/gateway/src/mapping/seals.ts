import type { Message, NewSealed } from '@nolo/api';
import type { Message as MessageRow, NewSealed as NewSealedRow } from '@nolo/proto/conversation';
import { toBytes, toText, toTextOrNull } from './keys.ts';

/** Converts the sealed content of a request. */
export const fromNewSealed = ({
  sealed,
  own,
  targetRow,
  version = 0,
  held = false,
  draftId,
}: NewSealed): NewSealedRow => ({
  sealed: toBytes(sealed),
  own: own.map(toBytes),
  targetRow: targetRow === undefined ? undefined : toBytes(targetRow),
  version,
  held,
  draftId,
});

/** Converts the sealed content of a message, which has none left once it is erased. */
export function toSealFields({
  sealed: row,
  changeSeq,
}: Pick<MessageRow, 'sealed' | 'changeSeq'>): Pick<Message, 'sealed' | 'seal'> {
  if (!row) return {};
  return {
    sealed: row.sealed.length > 0 ? toText(row.sealed) : null,
    seal: {
      epoch: row.epoch,
      deviceId: row.deviceId,
      version: row.version,
      // Chat of release 0.4.0 does not place edits.
      place: row.version > 0 && row.place === 0 ? changeSeq : row.place,
      own: row.own.map(toText),
      targetRow: toTextOrNull(row.targetRow),
      rowHash: toText(row.rowHash),
      origin: toTextOrNull(row.origin),
      hasLink: row.hasLink,
      deletion: toTextOrNull(row.deletion),
      annotations: row.annotations.map(({ kind, sealed, ...rest }) => ({
        ...rest,
        kind: kind === 'pin' ? 'pin' : 'reaction',
        sealed: toText(sealed),
      })),
      held: row.held,
      draftId: row.draftId ?? null,
      draftOrigin: toTextOrNull(row.draftOrigin),
    },
  };
}
