import { routes } from '@nolo/api';
import type { RouteCaller } from '../http/httpClient.ts';
import type { SealedApi } from './ports.ts';

/** Creates the part of the chat engine's port to the server that only sealed conversations need. */
export function createSealedApi({ call, callPage }: RouteCaller): SealedApi {
  return {
    listMembers: (id, cursor) => callPage(routes.listGroupMembers, { params: { id }, query: { cursor } }),
    commitEpoch: (id, epoch, message) => call(routes.commitEpoch, { params: { id }, body: { ...epoch, message } }),
    editSealed: (id, body) => call(routes.editMessage, { params: { id }, body }),
    deleteSealed: (id, deletion) => call(routes.deleteMessage, { params: { id }, body: { deletion } }),
    reactSealed: (id, body) => call(routes.setReaction, { params: { id }, body }),
    pinSealed: (id, body) => call(routes.pinMessage, { params: { id }, body }),
  };
}
