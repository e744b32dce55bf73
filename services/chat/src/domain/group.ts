import type { UserId } from '@nolo/kit/ids';
import { type ConversationSystemMessage, type GroupSettingName, limits, type MemberRole, cleanName } from '@nolo/rules';
import { createChatError, memberNotFound, notAdmin, notOwner } from '../errors.ts';
import type { ConversationMeta, GroupSettings } from './conversation.ts';
import type { LeftReason } from './frames.ts';
import { hashInviteToken } from './tokens.ts';

/** Relation of a person to a group. */
export interface GroupStanding {
  readonly userId: UserId;
  /** Role. Null if not currently a member. */
  readonly role: MemberRole | null;
  /** Reason why an earlier membership ended. Null if there was none or it is still active. */
  readonly leftReason: LeftReason | null;
  readonly banned: boolean;
  /** True if the person has a pending join request. */
  readonly waiting: boolean;
  /** Pending or declined invitation; nobody else learns of a refusal. */
  readonly invitation: 'open' | 'declined' | null;
}

/** Changes to a group. Absent fields stay; null removes a value. */
export interface GroupRevision {
  readonly name?: string;
  readonly description?: string;
  readonly picturePath?: string | null;
  readonly isPublic?: boolean;
  readonly maxMembers?: number;
  readonly settings?: Partial<GroupSettings>;
  readonly roomCode?: string | null;
  readonly codeExpiresAt?: Date | null;
  readonly inviteHash?: Buffer | null;
  readonly inviteExpiresAt?: Date | null;
}

const invalid = (field: string, message: string) => createChatError('invalid', 'group_invalid', message, { field });

/** Returns true for text that can be stored: PostgreSQL stores no NUL, and a lone surrogate is invalid in UTF-8. */
function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Validates a group name. @throws group_invalid. */
export function checkGroupName(given: string): string {
  const name = cleanName(given);
  if (name === '') throw invalid('name', 'Please enter a group name');
  if ([...name].length > limits.groupNameLength) {
    throw invalid('name', `A group name must have 1 to ${limits.groupNameLength} characters.`);
  }
  return name;
}

/** Validates a group description. @throws group_invalid. */
export function checkGroupDescription(given: string): string {
  const description = given.trim();
  if (description.length > limits.groupDescriptionLength || !isText(description)) {
    throw invalid('description', `A description must have at most ${limits.groupDescriptionLength} characters.`);
  }
  return description;
}

/** Validates the maximum number of members. @throws group_invalid. */
export function checkMaxMembers(given: number, present: number, maxAllowed: number): number {
  if (!Number.isSafeInteger(given) || given < limits.groupMembersMin || given > maxAllowed) {
    throw invalid('maxMembers', `A group can have ${limits.groupMembersMin} to ${maxAllowed} members.`);
  }
  if (given < present) throw invalid('maxMembers', `This group already has ${present} members.`);
  return given;
}

/** Validates an expiry time; null for no expiry. @throws group_invalid. */
export function checkExpiry(given: Date | undefined, now: Date): Date | null {
  if (given === undefined) return null;
  if (!(given > now)) throw invalid('expiresAt', 'The time must be in the future.');
  return given;
}

/** Validates a picture path. @throws group_invalid if the picture is not one of ours. */
export function checkPicturePath(given: string | undefined): string | null {
  if (!given) return null;
  if (!/^\/objects\/[0-9a-f-]{36}$/.test(given))
    throw invalid('picture', 'The picture URL must point to a picture uploaded here.');
  return given;
}

export function isGroupAdmin(role: MemberRole | null): boolean {
  return role === 'owner' || role === 'admin';
}

/** Requires an admin or the owner. @throws not_admin. */
export function requireGroupAdmin(role: MemberRole): void {
  if (!isGroupAdmin(role)) throw notAdmin();
}

/** Requires the owner. @throws not_owner. */
export function requireGroupOwner(role: MemberRole): void {
  if (role !== 'owner') throw notOwner();
}

/**
 * Checks that the actor may remove or ban a person: the owner anyone, admins only members. @throws not_admin,
 * not_owner.
 */
export function checkRemoval(role: MemberRole, target: GroupStanding): void {
  requireGroupAdmin(role);
  if (isGroupAdmin(target.role) && role !== 'owner') throw notOwner();
}

/** Returns the role of a current member. @throws member_not_found. */
export function memberRoleOf(target: GroupStanding): MemberRole {
  if (target.role === null) throw memberNotFound();
  return target.role;
}

export type EntryDecision = 'enter' | 'wait';

/** Returns true for the current invite token. It compares hashes, so timing reveals nothing. */
export function isInviteValid(
  { inviteHash, meta }: { inviteHash: Buffer | null; meta: ConversationMeta },
  token: string | undefined,
  now: Date,
): boolean {
  const expiresAt = meta.group?.inviteExpiresAt ?? null;
  if (!token || inviteHash === null || (expiresAt !== null && expiresAt <= now)) return false;
  return hashInviteToken(token).equals(inviteHash);
}

/**
 * Returns how a person with the code joins. An invite admits directly, except removed people: they ask like everyone
 * else (decision 9). While codes are being guessed (`guarded`), a code alone admits nobody (decision 40).
 */
export function decideEntry(
  traits: { isPublic: boolean },
  who: GroupStanding,
  isInvited: boolean,
  guarded: boolean,
): EntryDecision {
  if (traits.isPublic && !guarded) return 'enter';
  return isInvited && who.leftReason !== 'removed' ? 'enter' : 'wait';
}

/** Returns true if the code currently opens the group. */
export function isCodeValid(meta: ConversationMeta, code: string, now: Date): boolean {
  const group = meta.group;
  return group?.roomCode === code && (group.codeExpiresAt === null || group.codeExpiresAt > now);
}

/** Returns the system messages for a revision, one for each actual change. */
export function createRevisionSystemMessages(
  before: ConversationMeta,
  revision: GroupRevision,
): ConversationSystemMessage[] {
  const systemMessages: ConversationSystemMessage[] = [];
  if (revision.name !== undefined && revision.name !== before.name) {
    systemMessages.push({ kind: 'name_changed', name: revision.name });
  }
  if (revision.description !== undefined && revision.description !== before.description) {
    systemMessages.push({ kind: 'description_changed' });
  }
  if (revision.picturePath !== undefined && revision.picturePath !== before.picturePath) {
    systemMessages.push({ kind: 'picture_changed', removed: revision.picturePath === null });
  }
  const settings: Partial<Record<GroupSettingName | 'isPublic', boolean>> = {};
  const now = before.group;
  if (now && revision.isPublic !== undefined && revision.isPublic !== now.isPublic)
    settings.isPublic = revision.isPublic;
  for (const [name, value] of Object.entries(revision.settings ?? {}) as [GroupSettingName, boolean][]) {
    if (now && value !== now.settings[name]) settings[name] = value;
  }
  if (Object.keys(settings).length > 0) systemMessages.push({ kind: 'settings_changed', settings });
  return systemMessages;
}

/** Returns true if the revision changes anything. */
export function hasChanges(before: ConversationMeta, revision: GroupRevision): boolean {
  return (
    createRevisionSystemMessages(before, revision).length > 0 ||
    (revision.maxMembers !== undefined && revision.maxMembers !== before.group?.maxMembers)
  );
}
