import { fail } from '@nolo/kit/errors';
import { rpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { StatusServiceService } from '@nolo/proto/status';

/** status as far as the gateway's own tests go, in which nobody has posted anything. */
export function memoryStatus() {
  const known: Partial<RpcHandlers<typeof StatusServiceService>> = {
    listStatuses: async () => ({ statuses: [], nextCursor: undefined }),
    getStatusAudience: async () => ({ mode: 'contacts', userIds: [] }),
    async *exportStatuses() {},
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw fail('not_found', 'status_not_found', 'This status update is not there.');
      }),
  }) as RpcHandlers<typeof StatusServiceService>;

  return { service: rpcService(StatusServiceService, none) };
}
