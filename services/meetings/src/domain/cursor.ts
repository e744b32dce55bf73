import { parseId } from '@nolo/kit/ids';
import { failMeetings } from '../errors.ts';
import type { CallPlace } from './callPorts.ts';
import type { ListPlace, RemovedPlace } from './ports.ts';

/** Opaque to clients, so that the sort key can change. */
export function writeCursor(place: ListPlace): string {
  return Buffer.from(`${place.rank}|${place.key}|${place.id}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readCursor(cursor: string): ListPlace | undefined {
  if (cursor === '') return undefined;
  const match = /^([0-2])\|(-?\d{1,16}(?:\.\d{1,6})?)\|([0-9a-f-]{36})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  );
  if (!match) throw failMeetings('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
  return { rank: Number(match[1]), key: Number(match[2]), id: match[3] ?? '' };
}

export function writeCallCursor(place: CallPlace): string {
  return Buffer.from(`${place.since.getTime()}|${place.callId}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readCallCursor(cursor: string): CallPlace | undefined {
  if (cursor === '') return undefined;
  const match = /^(\d{1,15})\|(call-[0-9a-z-]{1,80})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match) throw failMeetings('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
  return { since: new Date(Number(match[1])), callId: match[2] ?? '' };
}

export function writeRemovedCursor(place: RemovedPlace): string {
  return Buffer.from(`${place.removedAt.getTime()}|${place.userId}`).toString('base64url');
}

/** @throws cursor_invalid where the cursor is none of ours. */
export function readRemovedCursor(cursor: string): RemovedPlace | undefined {
  if (cursor === '') return undefined;
  const match = /^(\d{1,15})\|([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const userId = parseId(match?.[2]);
  if (!match || !userId) throw failMeetings('invalid', 'cursor_invalid', 'The cursor is not one that was handed out.');
  return { removedAt: new Date(Number(match[1])), userId };
}

/** A page's size: what was asked for, within what is allowed. */
export function pageSize(asked: number, usual: number, most: number): number {
  return asked <= 0 ? usual : Math.min(asked, most);
}
