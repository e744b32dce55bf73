import type { FileId, UserId } from '@nolo/kit/ids';
import type { Audience, Draft, FileFacts, SeenStatus, StatusId } from './status.ts';

/** What became of a draft. `removed`: it was posted before and taken back. */
export type Posted =
  | { readonly kind: 'posted' | 'repeated'; readonly status: SeenStatus }
  | { readonly kind: 'removed' }
  | { readonly kind: 'full' };

/** Where a page of a list begins: after this author, whose latest status update was posted then. */
export interface ListPlace {
  readonly at: Date;
  readonly userId: UserId;
}

export interface StatusPage {
  readonly statuses: readonly SeenStatus[];
  readonly next: ListPlace | undefined;
}

export interface StatusStore {
  /** What was posted under the client's id before. */
  findPosted(authorId: UserId, clientId: string, now: Date): Promise<Posted | undefined>;
  /** Without an audience the one that was chosen last holds; with one it is remembered. */
  post(draft: Draft, audience: Audience | undefined, times: { now: Date; expiresAt: Date }): Promise<Posted>;
  /** One's own; they are not many. */
  listOwn(authorId: UserId, now: Date): Promise<SeenStatus[]>;
  /** Those of others that the viewer may see. */
  listOthers(viewerId: UserId, after: ListPlace | undefined, limit: number, now: Date): Promise<StatusPage>;
  /** False where the actor has none of that id. */
  remove(authorId: UserId, statusId: StatusId, now: Date): Promise<boolean>;
  /** Deletes those that are over, and answers with when each should have gone. */
  deleteExpired(limit: number, now: Date): Promise<Date[]>;
  /** When the next one is over. */
  nextExpiry(): Promise<Date | undefined>;
}

export interface ViewStore {
  /** Undefined where the viewer may not see it. */
  add(viewerId: UserId, statusId: StatusId, now: Date): Promise<'first' | 'again' | undefined>;
  /** Undefined where it is none of the actor's. */
  list(
    authorId: UserId,
    statusId: StatusId,
    page: { after: ListPlace | undefined; limit: number; now: Date },
  ): Promise<{ userId: UserId; viewedAt: Date }[] | undefined>;
  /** Who may see it, has not looked at it and has not muted its author, by id; of these people where there are any. */
  unseenBy(
    statusId: StatusId,
    page: { after: UserId | undefined; among: readonly UserId[]; limit: number; now: Date },
  ): Promise<UserId[]>;
}

export interface ChoiceStore {
  audienceOf(userId: UserId): Promise<Audience>;
  setAudience(userId: UserId, audience: Audience): Promise<void>;
  /** False where that would be too many. */
  setMute(userId: UserId, authorId: UserId, muted: boolean): Promise<boolean>;
}

/** What status updates name, for files. */
export interface NamedFileStore {
  /** When the last status update is over that names the file and that the viewer may see; undefined where there is none. */
  readableUntil(viewerId: UserId, fileId: FileId, now: Date): Promise<Date | undefined>;
  listNamed(fileIds: readonly FileId[], now: Date): Promise<FileId[]>;
}

/** What identity and chat told. */
export interface PeopleStore {
  changeContacts(ownerId: UserId, change: { added: readonly UserId[]; removed: readonly UserId[] }): Promise<void>;
  setBlocked(blockerId: UserId, blockedId: UserId, blocked: boolean): Promise<void>;
  setSharesReceipts(userId: UserId, shares: boolean): Promise<void>;
  /** Nothing of the person stays. */
  forget(userId: UserId): Promise<void>;
}

/** What files are that somebody is about to post; they are kept from being swept away meanwhile. @throws file_not_found */
export type AttachableFiles = (actorId: UserId, fileIds: readonly FileId[]) => Promise<FileFacts[]>;
