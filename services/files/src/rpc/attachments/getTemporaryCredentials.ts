import type { GetTemporaryCredentialsRequest, TemporaryCredentials } from '@nolo/proto/sharedFiles';
import { incomingPrefixOf } from '../../domain/incoming.ts';
import { stsNotConfigured } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';

export function getTemporaryCredentials({ access, uploadSecret }: RpcDependencies) {
  return async (request: GetTemporaryCredentialsRequest): Promise<TemporaryCredentials> => {
    const actorId = parseActor(request.actorId);
    const credentials = await access?.credentialsFor(incomingPrefixOf(uploadSecret.reveal(), actorId));
    if (!credentials) throw stsNotConfigured();
    return { ...credentials };
  };
}
