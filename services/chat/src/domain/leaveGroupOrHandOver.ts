import type { UserId } from '@nolo/kit/ids';
import type { LockedGroup } from './groupPorts.ts';

/**
 * Removes a member who leaves. An owner's group is handed over to the oldest admin, otherwise to the oldest member, and
 * an empty group ends. A person whose account is deleted leaves quietly, without a system message.
 */
export async function leaveGroupOrHandOver(group: LockedGroup, userId: UserId, quietly = false): Promise<void> {
  const successor = group.standing(userId).role === 'owner' ? await group.successorOf(userId) : undefined;
  await group.leave(userId, 'left');
  if (group.memberCount === 1) {
    await group.close();
    return;
  }
  if (!quietly) await group.addSystemMessage(userId, { kind: 'member_left' });
  if (successor) {
    await group.appoint(successor);
    await group.addSystemMessage(quietly ? successor : userId, { kind: 'owner_changed', userId: successor });
  }
}
