import { createAppError } from '@nolo/kit/errors';
import { bindRpcService, type RpcDefinition, type RpcHandlers, type RpcService } from '@nolo/kit/rpc';

/**
 * Creates a service with the methods that a test needs. All others refuse, so a test notices when it needs one more.
 */
export function fakeService<Definition extends RpcDefinition>(
  definition: Definition,
  handlers: Partial<RpcHandlers<Definition>>,
): RpcService {
  const refuse = (name: string) => () =>
    Promise.reject(createAppError('invalid', 'not_faked', `${name} is not faked here.`));
  const refusals = Object.fromEntries(Object.keys(definition.methods).map((name) => [name, refuse(name)]));
  return bindRpcService(definition, { ...refusals, ...handlers } as RpcHandlers<Definition>);
}
