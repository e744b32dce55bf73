import { cleanName, limits } from '@nolo/rules';

/** Input of the room form, as typed (spec section 5). */
export interface RoomForm {
  name: string;
  description: string;
  maxMembers: string;
  isPublic: boolean;
  allowScreenShare: boolean;
  allowFileSharing: boolean;
  allowRecording: boolean;
  moderationEnabled: boolean;
}

export function createEmptyRoomForm(): RoomForm {
  return {
    name: '',
    description: '',
    maxMembers: String(limits.groupMembersDefault),
    isPublic: true,
    allowScreenShare: true,
    allowFileSharing: true,
    allowRecording: false,
    moderationEnabled: false,
  };
}

/** Follows the specification: unreadable input is 100. Returns null for a number outside the limits. */
export function readMaxMembers(typed: string): number | null {
  const count = Number.parseInt(typed, 10);
  if (Number.isNaN(count)) return limits.groupMembersDefault;
  return count >= limits.groupMembersMin && count <= limits.groupMembersMax ? count : null;
}

export type RoomFormProblem = 'name' | 'maxMembers';

export function findRoomFormProblem(form: RoomForm): RoomFormProblem | null {
  if (cleanName(form.name) === '') return 'name';
  return readMaxMembers(form.maxMembers) === null ? 'maxMembers' : null;
}

/** Returns the request for a new room. Approval is the opposite of public (decision 16). */
export function toCreateRoomRequest(form: RoomForm) {
  return {
    name: cleanName(form.name),
    description: form.description.trim(),
    isPublic: form.isPublic,
    maxMembers: readMaxMembers(form.maxMembers) ?? limits.groupMembersDefault,
    settings: {
      allowScreenShare: form.allowScreenShare,
      allowFileSharing: form.allowFileSharing,
      allowRecording: form.allowRecording,
      moderationEnabled: form.moderationEnabled,
      requireApproval: !form.isPublic,
    },
  };
}

export type NewGroupProblem = 'name' | 'members';

/** Decision 14: only Create Group requires members. */
export function findNewGroupProblem(name: string, chosen: number): NewGroupProblem | null {
  if (cleanName(name) === '') return 'name';
  return chosen === 0 ? 'members' : null;
}
