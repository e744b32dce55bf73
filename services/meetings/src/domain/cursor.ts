import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, nameCursorField, numberCursorField, timeCursorField } from '@nolo/kit/pages';
import { isCallRoomId } from './call.ts';
import type { CallListCursor } from './callPorts.ts';
import type { MeetingListCursor, RemovedListCursor } from './ports.ts';

export const { read: readCursor, write: writeCursor } = defineCursor<MeetingListCursor>({
  rank: numberCursorField,
  key: numberCursorField,
  id: idCursorField(),
});

export const { read: readCallCursor, write: writeCallCursor } = defineCursor<CallListCursor>({
  since: timeCursorField,
  callId: nameCursorField(isCallRoomId),
});

export const { read: readRemovedCursor, write: writeRemovedCursor } = defineCursor<RemovedListCursor>({
  removedAt: timeCursorField,
  userId: idCursorField<UserId>(),
});
