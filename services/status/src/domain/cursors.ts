import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idField, timeField } from '@nolo/kit/pages';
import type { StatusListCursor } from './ports.ts';

export const statusListCursor = defineCursor<StatusListCursor>({ at: timeField, userId: idField<UserId>() });
