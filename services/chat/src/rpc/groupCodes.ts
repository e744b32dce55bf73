import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { checkExpiry } from '../domain/group.ts';
import { hashInviteToken, createInviteToken } from '../domain/tokens.ts';
import type { Dependencies } from './dependencies.ts';
import { reviseGroup } from './withLockedGroup.ts';
import { retryWithFreeGroupCode } from './roomCode.ts';

export function rotateGroupCode(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.rotateGroupCode> {
  return async (request) => {
    const codeExpiresAt = checkExpiry(request.expiresAt, dependencies.clock.now());
    return retryWithFreeGroupCode((roomCode) =>
      reviseGroup(dependencies, request, () => ({ roomCode, codeExpiresAt })),
    );
  };
}

export function expireGroupCode(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.expireGroupCode> {
  return (request) => reviseGroup(dependencies, request, () => ({ roomCode: null, codeExpiresAt: null }));
}

export function createGroupInvite(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.createGroupInvite> {
  return async (request) => {
    const token = createInviteToken();
    const inviteExpiresAt = checkExpiry(request.expiresAt, dependencies.clock.now());
    // The link leads to the code, so a group with an expired code gets a new one.
    const { meta } = await retryWithFreeGroupCode((code) =>
      reviseGroup(dependencies, request, (group) => {
        const now = dependencies.clock.now();
        const { roomCode = null, codeExpiresAt = null } = group.meta.group ?? {};
        const holds = roomCode !== null && (codeExpiresAt === null || codeExpiresAt > now);
        const renewed = holds ? {} : { roomCode: code, codeExpiresAt: null };
        return { inviteHash: hashInviteToken(token), inviteExpiresAt, ...renewed };
      }),
    );
    return { token, roomCode: meta?.group?.roomCode ?? '' };
  };
}

export function revokeGroupInvite(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.revokeGroupInvite> {
  return async (request) => {
    await reviseGroup(dependencies, request, () => ({ inviteHash: null, inviteExpiresAt: null }));
    return {};
  };
}
