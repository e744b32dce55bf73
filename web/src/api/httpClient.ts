import { createRouteCaller } from '@nolo/client/http/httpClient';
import { request } from './request.ts';

export type { ResultPage } from '@nolo/client/http/httpClient';
export { ApiError, onUnauthorized } from './request.ts';
export const { call, callPage } = createRouteCaller(request);
