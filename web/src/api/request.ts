import { createRequester } from '@nolo/client/http/request';
import { serverClock } from './serverClock.ts';

/* Requests to our own origin without the contract's schemas, which are too large for the sign-in page. */

export { ApiError } from '@nolo/client/http/request';
export const { request, onUnauthorized, onPlanLimit, notifyPlanLimit } = createRequester({ clock: serverClock });
