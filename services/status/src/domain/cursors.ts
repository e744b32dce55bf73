import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, timeCursorField } from '@nolo/kit/pages';
import type { StatusListCursor } from './ports.ts';

export const statusListCursor = defineCursor<StatusListCursor>({
  at: timeCursorField,
  userId: idCursorField<UserId>(),
});
