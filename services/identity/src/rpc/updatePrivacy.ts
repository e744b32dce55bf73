import type { RpcContext } from '@nolo/kit/rpc';
import type { Self, UpdatePrivacyRequest } from '@nolo/proto/identity';
import { presenceVisibilities, type PresenceVisibility } from '@nolo/rules';
import { failIdentity } from '../errors.ts';
import { changeAccount } from './changeAccount.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

function readVisibility(value: string | undefined): PresenceVisibility | undefined {
  const visibility = presenceVisibilities.find((known) => known === value);
  if (value === undefined || visibility) return visibility;
  throw failIdentity('invalid', 'profile_invalid', 'This visibility does not exist.', { field: 'presenceVisibility' });
}

export function updatePrivacy(deps: Pick<RpcDeps, 'accounts' | 'announcements' | 'clock' | 'frames'>) {
  return async (request: UpdatePrivacyRequest, context: RpcContext): Promise<Self> => {
    const actor = readUserId(request.actorId);
    const presenceVisibility = readVisibility(request.presenceVisibility);
    const { discoverable, transcribeVoiceNotes } = request;
    const self = await changeAccount(deps, actor, { presenceVisibility, discoverable, transcribeVoiceNotes });
    if (presenceVisibility !== undefined) {
      // Those who may no longer see it have the old presence on their screens.
      await deps.announcements.presence(actor, { includeHidden: true }).catch((error: unknown) => {
        context.log.warn({ err: error }, 'a change of visibility was not announced');
      });
    }
    return self;
  };
}
