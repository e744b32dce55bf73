import { routes } from '@nolo/api';
import type { CallApi, CallFailure } from './model/callPorts.ts';
import { ApiError, call } from '../api/httpClient.ts';

/** Number of latest calls searched for an ongoing one. */
const latest = 10;

export const callApi: CallApi = {
  conversationWith: async (otherUserId) => (await call(routes.startConversation, { body: { otherUserId } })).id,
  initiate: (conversationId, callType, deviceId) =>
    call(routes.initiateCall, { body: { conversationId, callType, deviceId } }),
  list: () => call(routes.listCalls, { query: { limit: latest } }),
  get: (id) => call(routes.getCall, { params: { id } }),
  answer: (id, deviceId, signalData) =>
    call(routes.answerCall, { params: { id }, body: { deviceId, ...(signalData && { signalData }) } }),
  decline: (id) => call(routes.declineCall, { params: { id } }),
  end: (id) => call(routes.endCall, { params: { id } }),
  update: (id, change) => call(routes.updateCall, { params: { id }, body: change }),
  invite: (id, userId) => call(routes.inviteToCall, { params: { id }, body: { userId } }),
};

export const callFailureOf = (error: unknown): CallFailure =>
  error instanceof ApiError ? { passing: error.passing, code: error.code } : { passing: false, code: 'unknown_error' };
