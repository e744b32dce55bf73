import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { IdentityServiceDefinition } from '@nolo/proto/identity';
import { aUser } from '@nolo/testing/protos';

/** Fake of identity: who may see whose picture. */
export function createFakeIdentity() {
  /** People whose picture is hidden from all others. */
  const hidden = new Set<string>();

  const known: Pick<RpcHandlers<typeof IdentityServiceDefinition>, 'getUsers'> = {
    getUsers: async ({ userIds }) => ({
      users: userIds.map((id) => aUser({ id, ...(!hidden.has(id) && { profileImageUrl: '/objects/of-theirs' }) })),
    }),
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`files must not call ${String(name)} of the identity service.`);
      }),
  }) as RpcHandlers<typeof IdentityServiceDefinition>;

  return { service: bindRpcService(IdentityServiceDefinition, none), hidden };
}
