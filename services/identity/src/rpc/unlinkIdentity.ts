import { isId } from '@nolo/kit/ids';
import type { UnlinkIdentityReply, UnlinkIdentityRequest } from '@nolo/proto/security';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { proofRequired, readAsking } from './proofErrors.ts';

const notFound = () => failIdentity('not_found', 'identity_not_found', 'This way to sign in was not found.');

export function unlinkIdentity({ clock, frames, identities }: Pick<RpcDeps, 'clock' | 'frames' | 'identities'>) {
  return async (request: UnlinkIdentityRequest): Promise<UnlinkIdentityReply> => {
    const asking = readAsking(request);
    if (!isId(request.identityId)) throw notFound();
    switch (await identities.unlink(asking, request.identityId, clock.now())) {
      case 'unproven':
        throw proofRequired();
      case 'missing':
        throw notFound();
      case 'last':
        throw failIdentity('conflict', 'last_way_in', 'This is the only way to sign in to your account.');
      case 'unlinked':
        await frames.send([asking.userId], { type: 'self_changed', data: {} });
        return {};
    }
  };
}
