import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idPart, namePart, numberPart, timePart } from '@nolo/kit/pages';
import { isCall } from './call.ts';
import type { CallPlace } from './callPorts.ts';
import type { ListPlace, RemovedPlace } from './ports.ts';

export const { read: readCursor, write: writeCursor } = defineCursor<ListPlace>({
  rank: numberPart,
  key: numberPart,
  id: idPart(),
});

export const { read: readCallCursor, write: writeCallCursor } = defineCursor<CallPlace>({
  since: timePart,
  callId: namePart(isCall),
});

export const { read: readRemovedCursor, write: writeRemovedCursor } = defineCursor<RemovedPlace>({
  removedAt: timePart,
  userId: idPart<UserId>(),
});
