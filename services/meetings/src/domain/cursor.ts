import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idField, nameField, numberField, timeField } from '@nolo/kit/pages';
import { isCall } from './call.ts';
import type { CallPlace } from './callPorts.ts';
import type { MeetingListCursor, RemovedPlace } from './ports.ts';

export const { read: readCursor, write: writeCursor } = defineCursor<MeetingListCursor>({
  rank: numberField,
  key: numberField,
  id: idField(),
});

export const { read: readCallCursor, write: writeCallCursor } = defineCursor<CallPlace>({
  since: timeField,
  callId: nameField(isCall),
});

export const { read: readRemovedCursor, write: writeRemovedCursor } = defineCursor<RemovedPlace>({
  removedAt: timeField,
  userId: idField<UserId>(),
});
