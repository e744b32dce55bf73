import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { StatusServiceDefinition } from '@nolo/proto/status';

/** Time when every status update of the tests expires. */
export const statusEndTime = new Date('2040-01-01T00:00:00Z');

/** Fake of status: the status updates that use a file, and who may see them. */
export function createFakeStatus() {
  /** Readers of each file that a status update uses. */
  const posted = new Map<string, Set<string>>();

  const known: Pick<
    RpcHandlers<typeof StatusServiceDefinition>,
    'canReadStatusFile' | 'listStatusFiles' | 'exportStatuses' | 'getStatusAudience'
  > = {
    // oxlint-disable-next-line require-yield -- nobody has posted anything
    async *exportStatuses() {
      return;
    },
    getStatusAudience: async () => ({ mode: 'only', userIds: ['a-friend'] }),
    canReadStatusFile: async ({ actorId, fileId }) => ({
      allowed: posted.get(fileId)?.has(actorId) ?? false,
      until: statusEndTime,
    }),
    listStatusFiles: async ({ fileIds }) => ({ fileIds: fileIds.filter((id) => posted.has(id)) }),
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`files must not call ${String(name)} of the status service.`);
      }),
  }) as RpcHandlers<typeof StatusServiceDefinition>;

  return { service: bindRpcService(StatusServiceDefinition, none), posted };
}
