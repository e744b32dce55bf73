import { nextCursorHeader } from '@nolo/api';
import type { Response } from 'express';

/**
 * Sends the cursor of the next page in a header, next to a reply that is a bare array (decision 17). The last page has
 * none.
 */
export function setNextPageHeader(response: Response, nextCursor: string | undefined): void {
  if (nextCursor !== undefined) response.setHeader(nextCursorHeader, nextCursor);
}
