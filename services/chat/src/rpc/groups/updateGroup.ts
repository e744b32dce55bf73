import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import {
  changesAnything,
  checkAdmin,
  groupDescriptionFrom,
  groupNameFrom,
  maxMembersFrom,
  notesOf,
  type GroupRevision,
} from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply, inGroup } from './inGroup.ts';

export function updateGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.updateGroup> {
  return async (request) => {
    await inGroup(dependencies, request, [], async (group, actor) => {
      checkAdmin(actor.role);
      const { name, description, isPublic, maxMembers } = request;
      const settings = {
        allowScreenShare: request.allowScreenShare,
        allowFileSharing: request.allowFileSharing,
        allowRecording: request.allowRecording,
        moderationEnabled: request.moderationEnabled,
      };
      const given = Object.entries(settings).filter(([, value]) => value !== undefined);
      const revision: GroupRevision = {
        ...(name === undefined ? {} : { name: groupNameFrom(name) }),
        ...(description === undefined ? {} : { description: groupDescriptionFrom(description) }),
        ...(isPublic === undefined ? {} : { isPublic }),
        ...(maxMembers === undefined ? {} : { maxMembers: maxMembersFrom(maxMembers, group.memberCount) }),
        settings: Object.fromEntries(given),
      };
      if (!changesAnything(group.meta, revision)) return;
      await group.revise(revision);
      for (const note of notesOf(group.meta, revision)) await group.say(actor.id, note);
    });
    return conversationReply(dependencies, request);
  };
}
