import type { UserId } from '@nolo/kit/ids';
import { type ConversationNote, type GroupSettingName, limits, type MemberRole, cleanName } from '@nolo/rules';
import { failChat, memberNotFound, notAdmin, notOwner } from '../errors.ts';
import type { ConversationMeta, GroupSettings } from './conversation.ts';
import type { LeftReason } from './frames.ts';
import { hashToken } from './tokens.ts';

/** How somebody stands to a group. */
export interface Standing {
  readonly userId: UserId;
  /** Null for those who are not in it now. */
  readonly role: MemberRole | null;
  /** How an earlier membership ended; null where there was none, or it goes on. */
  readonly leftReason: LeftReason | null;
  readonly banned: boolean;
  /** Asked to be let in. */
  readonly waiting: boolean;
  /** Whether somebody wants them in: waiting for their answer, or declined, of which nobody else knows. */
  readonly invitation: 'open' | 'declined' | null;
}

/** What of a group changes; what is left out stays. Null takes away. */
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

const invalid = (field: string, message: string) => failChat('invalid', 'group_invalid', message, { field });

/** PostgreSQL stores no NUL, and a lone surrogate is no character in UTF-8. */
function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** @throws group_invalid. */
export function groupNameFrom(given: string): string {
  const name = cleanName(given);
  if (name === '') throw invalid('name', 'Please enter a group name');
  if ([...name].length > limits.groupNameLength) {
    throw invalid('name', `A group's name has 1 to ${limits.groupNameLength} characters.`);
  }
  return name;
}

/** @throws group_invalid. */
export function groupDescriptionFrom(given: string): string {
  const description = given.trim();
  if (description.length > limits.groupDescriptionLength || !isText(description)) {
    throw invalid('description', `A description has up to ${limits.groupDescriptionLength} characters.`);
  }
  return description;
}

/** @throws group_invalid. */
export function maxMembersFrom(given: number, present: number, most: number): number {
  if (!Number.isSafeInteger(given) || given < limits.groupMembersMin || given > most) {
    throw invalid('maxMembers', `A group holds ${limits.groupMembersMin} to ${most} people.`);
  }
  if (given < present) throw invalid('maxMembers', `${present} people are in this group already.`);
  return given;
}

/** When something ends that is given for a time; null where it does not. @throws group_invalid. */
export function expiryFrom(given: Date | undefined, now: Date): Date | null {
  if (given === undefined) return null;
  if (!(given > now)) throw invalid('expiresAt', 'The time lies in the past.');
  return given;
}

/** @throws group_invalid where the picture is none of ours. */
export function picturePathFrom(given: string | undefined): string | null {
  if (!given) return null;
  if (!/^\/objects\/[0-9a-f-]{36}$/.test(given))
    throw invalid('picture', 'The address of the picture is not one of ours.');
  return given;
}

export function decides(role: MemberRole | null): boolean {
  return role === 'owner' || role === 'admin';
}

/** @throws not_admin. */
export function checkAdmin(role: MemberRole): void {
  if (!decides(role)) throw notAdmin();
}

/** @throws not_owner. */
export function checkOwner(role: MemberRole): void {
  if (role !== 'owner') throw notOwner();
}

/** Whether the actor may remove somebody or keep them out: the owner anybody, admins members. @throws not_admin, not_owner. */
export function checkRemoval(role: MemberRole, target: Standing): void {
  checkAdmin(role);
  if (decides(target.role) && role !== 'owner') throw notOwner();
}

/** The role of somebody who is in. @throws member_not_found. */
export function memberRoleOf(target: Standing): MemberRole {
  if (target.role === null) throw memberNotFound();
  return target.role;
}

export type Way = 'enter' | 'wait';

/** Whether a token is the one in force; hashes of equal tokens are equal, and nothing is learned from how long it takes. */
export function holdsInvite(
  { inviteHash, meta }: { inviteHash: Buffer | null; meta: ConversationMeta },
  token: string | undefined,
  now: Date,
): boolean {
  const expiresAt = meta.group?.inviteExpiresAt ?? null;
  if (!token || inviteHash === null || (expiresAt !== null && expiresAt <= now)) return false;
  return hashToken(token).equals(inviteHash);
}

/**
 * How somebody with the code comes in. An invite lets in directly, though not those who were removed: they ask, like
 * everybody else (decision 9). Where codes are being guessed (`guarded`), a code alone lets nobody in (decision 40).
 */
export function wayIn(traits: { isPublic: boolean }, who: Standing, isInvited: boolean, guarded: boolean): Way {
  if (traits.isPublic && !guarded) return 'enter';
  return isInvited && who.leftReason !== 'removed' ? 'enter' : 'wait';
}

/** Whether the code is one that opens the group now. */
export function codeHolds(meta: ConversationMeta, code: string, now: Date): boolean {
  const group = meta.group;
  return group?.roomCode === code && (group.codeExpiresAt === null || group.codeExpiresAt > now);
}

/** What a revision says to the members, one note for each thing that really changed. */
export function notesOf(before: ConversationMeta, revision: GroupRevision): ConversationNote[] {
  const notes: ConversationNote[] = [];
  if (revision.name !== undefined && revision.name !== before.name) {
    notes.push({ kind: 'name_changed', name: revision.name });
  }
  if (revision.description !== undefined && revision.description !== before.description) {
    notes.push({ kind: 'description_changed' });
  }
  if (revision.picturePath !== undefined && revision.picturePath !== before.picturePath) {
    notes.push({ kind: 'picture_changed', removed: revision.picturePath === null });
  }
  const settings: Partial<Record<GroupSettingName | 'isPublic', boolean>> = {};
  const now = before.group;
  if (now && revision.isPublic !== undefined && revision.isPublic !== now.isPublic)
    settings.isPublic = revision.isPublic;
  for (const [name, value] of Object.entries(revision.settings ?? {}) as [GroupSettingName, boolean][]) {
    if (now && value !== now.settings[name]) settings[name] = value;
  }
  if (Object.keys(settings).length > 0) notes.push({ kind: 'settings_changed', settings });
  return notes;
}

/** Whether anything of the group differs after the revision. */
export function changesAnything(before: ConversationMeta, revision: GroupRevision): boolean {
  return (
    notesOf(before, revision).length > 0 ||
    (revision.maxMembers !== undefined && revision.maxMembers !== before.group?.maxMembers)
  );
}
