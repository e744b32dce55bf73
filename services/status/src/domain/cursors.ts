import type { UserId } from '@nolo/kit/ids';
import { defineCursor, idPart, timePart } from '@nolo/kit/pages';
import type { ListPlace } from './ports.ts';

export const placeCursor = defineCursor<ListPlace>({ at: timePart, userId: idPart<UserId>() });
