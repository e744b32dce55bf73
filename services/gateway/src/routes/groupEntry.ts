import { routes } from '@nolo/api';
import type { CreateGroupRequest } from '@nolo/proto/groups';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { pictureTimeoutMs, parseUploadId } from './files.ts';
import { resolveIsPublic, createGroupComposer, toSkippedPeople } from '../mapping/groupComposer.ts';
import { toOwnJoinRequest } from '../mapping/groups.ts';
import { toBytes } from '../mapping/keys.ts';
import { findPeopleWithGroupPrivacy } from '../mapping/findPeople.ts';

/** Routes for creating and joining groups, and for their appearance. */
export function bindGroupEntry(
  bind: BindRoute,
  context: Pick<GatewayContext, 'groups' | 'files' | 'publicUrl' | 'identity' | 'log'>,
): void {
  const { groups, files, publicUrl } = context;
  const { compose } = createGroupComposer(context);

  const create = async (
    rpcRequest: Partial<CreateGroupRequest> & { actorId: string; name: string },
    rpc: Parameters<typeof compose>[2],
  ) => {
    const request = { description: '', isPublic: false, settings: undefined, memberIds: [], ...rpcRequest };
    const { conversation, skipped, invitedIds } = await groups.createGroup(request, rpc);
    if (!conversation) throw createGatewayError('not_found', 'conversation_not_found', 'Group chat not found.');
    return { group: await compose(rpcRequest.actorId, conversation, rpc), skipped, invitedIds };
  };

  /** Deletes a picture that nothing shows. Failures are only logged. */
  const remove = async (objectPath: string | undefined, rpc: Parameters<typeof compose>[2]) => {
    if (!objectPath) return;
    await files
      .removeGroupPicture({ objectPath }, rpc)
      .catch((error: unknown) => context.log.warn({ err: error }, 'deleting the previous picture of a group failed'));
  };

  bind(routes.createGroup, async ({ actor, body, rpc }) => {
    // Chat does not know which accounts exist.
    const { people, choices } = await findPeopleWithGroupPrivacy(context, actor.userId, body.memberIds, rpc);
    const memberIds = body.memberIds.filter((userId) => people.has(userId));
    const unknown = body.memberIds.filter((userId) => !people.has(userId));
    const rpcRequest = {
      actorId: actor.userId,
      name: body.name,
      description: body.description ?? '',
      memberIds,
      choices,
    };
    const { group, skipped, invitedIds } = await create(rpcRequest, rpc);
    return {
      ...group,
      invited: invitedIds,
      skipped: toSkippedPeople([...skipped, ...unknown.map((userId) => ({ userId, reason: 'unavailable' }))]),
    };
  });

  bind(routes.createGroupChat, async ({ actor, body, rpc }) => {
    const { settings } = body;
    const rpcRequest = {
      actorId: actor.userId,
      name: body.name,
      description: body.description ?? '',
      isPublic: resolveIsPublic(body.isPublic, settings?.requireApproval) ?? false,
      maxMembers: body.maxMembers ?? 0,
      settings: {
        allowScreenShare: settings?.allowScreenShare ?? true,
        allowFileSharing: settings?.allowFileSharing ?? true,
        allowRecording: settings?.allowRecording ?? false,
        moderationEnabled: settings?.moderationEnabled ?? false,
      },
    };
    return (await create(rpcRequest, rpc)).group;
  });

  bind(routes.joinGroupChat, async ({ actor, params, body, device, rpc, response }) => {
    const { state, conversation, name, roomCode, guarded } = await groups.joinGroup(
      {
        actorId: actor.userId,
        roomCode: params.roomCode,
        inviteToken: body?.inviteToken,
        address: device.address,
        addition: body?.addition === undefined ? undefined : toBytes(body.addition),
      },
      rpc,
    );
    if (state === 'joined' && conversation) return { joined: true as const, id: conversation.id, name, roomCode };
    response.status(202);
    return { joined: false as const, waiting: true as const, name, roomCode, guarded };
  });

  bind(routes.withdrawJoinRequest, async ({ actor, params, device, rpc }) => {
    const { userId: actorId } = actor;
    await groups.withdrawJoinRequest({ actorId, roomCode: params.roomCode, address: device.address }, rpc);
  });

  bind(routes.listOwnJoinRequests, async ({ actor, rpc }) => {
    const { requests } = await groups.listOwnJoinRequests({ actorId: actor.userId }, rpc);
    return requests.map(toOwnJoinRequest);
  });

  bind(routes.cancelJoinRequest, async ({ actor, params, rpc }) => {
    const named = { actorId: actor.userId, conversationId: params.id };
    await groups.withdrawJoinRequest({ ...named, roomCode: '', address: '' }, rpc);
  });

  bind(routes.setGroupPicture, async ({ actor, params, body, rpc }) => {
    const uploadId = parseUploadId(body.pictureURL, publicUrl);
    if (uploadId === undefined)
      throw createGatewayError('not_found', 'upload_not_found', 'This upload does not exist.');
    const conversationId = params.id;
    // Checks permission before creating the picture; chat checks again when storing it.
    await groups.checkAdmin({ actorId: actor.userId, conversationId }, rpc);
    const { objectPath } = await files.finishGroupPicture(
      { actorId: actor.userId, uploadId, groupId: conversationId },
      { ...rpc, timeoutMs: pictureTimeoutMs },
    );
    const { formerPath } = await groups
      .setGroupPicture({ actorId: actor.userId, conversationId, picturePath: objectPath }, rpc)
      .catch(async (error: unknown) => {
        await remove(objectPath, rpc);
        throw error;
      });
    await remove(formerPath, rpc);
    return { objectPath };
  });

  bind(routes.removeGroupPicture, async ({ actor, params, rpc }) => {
    const { formerPath } = await groups.setGroupPicture({ actorId: actor.userId, conversationId: params.id }, rpc);
    await remove(formerPath, rpc);
  });
}
