import { nextCursorHeader } from '@nolo/api';
import type { Response } from 'express';

/** Says where the next page begins, beside an answer that is a bare array (decision 17); on the last page nothing. */
export function tellNextPage(response: Response, nextCursor: string | undefined): void {
  if (nextCursor !== undefined) response.setHeader(nextCursorHeader, nextCursor);
}
