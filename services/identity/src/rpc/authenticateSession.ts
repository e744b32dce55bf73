import type { AuthenticateSessionReply, AuthenticateSessionRequest } from '@nolo/proto/identity';
import type { RpcDeps } from './deps.ts';

export function authenticateSession({ checkSession }: Pick<RpcDeps, 'checkSession'>) {
  return async (request: AuthenticateSessionRequest): Promise<AuthenticateSessionReply> => checkSession(request.token);
}
