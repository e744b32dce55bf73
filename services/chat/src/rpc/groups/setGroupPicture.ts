import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { checkAdmin, notesOf, picturePathFrom } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

export function setGroupPicture(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.setGroupPicture> {
  return (request) =>
    inGroup(dependencies, request, [], async (group, actor) => {
      checkAdmin(actor.role);
      const revision = { picturePath: picturePathFrom(request.picturePath) };
      const formerPath = group.meta.picturePath;
      if (formerPath === revision.picturePath) return { formerPath: '' };
      await group.revise(revision);
      for (const note of notesOf(group.meta, revision)) await group.say(actor.id, note);
      return { formerPath: formerPath ?? '' };
    });
}
