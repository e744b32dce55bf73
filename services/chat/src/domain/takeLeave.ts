import type { UserId } from '@nolo/kit/ids';
import type { GroupChange } from './groupPorts.ts';

/**
 * What follows when somebody goes: an owner's group is handed on to the eldest admin, else to the eldest member, and a
 * group that nobody is in ends. Whoever goes quietly, because their account is gone, leaves no note of it.
 */
export async function takeLeave(group: GroupChange, userId: UserId, quietly = false): Promise<void> {
  const successor = group.standing(userId).role === 'owner' ? await group.successorOf(userId) : undefined;
  await group.leave(userId, 'left');
  if (group.memberCount === 1) {
    await group.close();
    return;
  }
  if (!quietly) await group.say(userId, { kind: 'member_left' });
  if (successor) {
    await group.setRoles([{ userId: successor, role: 'owner' }]);
    await group.say(quietly ? successor : userId, { kind: 'owner_changed', userId: successor });
  }
}
