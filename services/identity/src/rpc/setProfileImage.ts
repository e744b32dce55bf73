import { isId } from '@nolo/kit/ids';
import type { Self, SetProfileImageRequest } from '@nolo/proto/identity';
import { failIdentity } from '../errors.ts';
import { changeAccount } from './changeAccount.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

/** Only our own objects: an address elsewhere would tell its owner who looks at the profile. */
function isObjectPath(path: string): boolean {
  return path.startsWith('/objects/') && isId(path.slice('/objects/'.length));
}

export function setProfileImage(deps: Pick<RpcDeps, 'accounts' | 'clock' | 'frames'>) {
  return async (request: SetProfileImageRequest): Promise<Self> => {
    const actor = readUserId(request.actorId);
    if (request.objectPath !== '' && !isObjectPath(request.objectPath)) {
      throw failIdentity('invalid', 'profile_invalid', 'This picture does not exist.', { field: 'profileImageUrl' });
    }
    return changeAccount(deps, actor, { profileImagePath: request.objectPath });
  };
}
