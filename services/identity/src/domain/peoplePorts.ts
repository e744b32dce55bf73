import type { UserId } from '@nolo/kit/ids';
import type { PresenceStatus, PrivacySettingsOf } from '@nolo/rules';

/** Person and their relationship with the viewer. */
export interface PersonWithRelation extends PrivacySettingsOf<'identity'> {
  id: UserId;
  firstName: string;
  lastName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  lastSeenAt: Date | null;
  /** Name in the viewer's contacts. */
  contactName: string | null;
  /** True if the viewer chose the name; false if it was only filled in. */
  contactNamed: boolean;
  /** Phone number in the viewer's contact. */
  contactNumber: string | null;
  /** True if the viewer has blocked the person. */
  isBlocked: boolean;
  /** True if the person has blocked the viewer. */
  blocksViewer: boolean;
  /** True if the person has the viewer in their contacts. */
  knowsViewer: boolean;
  /** True if the viewer shares when they were last seen with the person and has not blocked them. */
  viewerShowsLastSeen: boolean;
}

export type PresenceWatcher = { userId: UserId } & Pick<
  PersonWithRelation,
  'knowsViewer' | 'blocksViewer' | 'viewerShowsLastSeen'
>;

/** Looks up people, sorted by name. Excludes the viewer and strangers who have blocked the viewer. */
/** Name fragment to search for. */
export interface SearchTerm {
  /** Folded with `foldText` of the rules. */
  folded: string;
  /** Lower case, for names that are not folded yet. */
  written: string;
}

export interface PeopleReader {
  /** Returns people in no particular order. Omits unknown IDs. */
  acquaintances(viewerId: UserId, userIds: readonly UserId[]): Promise<PersonWithRelation[]>;
  contactsNamed(viewerId: UserId, searched: SearchTerm, limit: number): Promise<UserId[]>;
  discoverableNamed(viewerId: UserId, prefix: SearchTerm, limit: number): Promise<UserId[]>;
  withPhoneNumber(viewerId: UserId, phoneNumber: string): Promise<UserId[]>;
  withEmail(viewerId: UserId, email: string, limit: number): Promise<UserId[]>;
  /**
   * Returns people interested in a user's presence: those who have the user as a contact, and the user's own contacts.
   */
  watchers(userId: UserId, limit: number): Promise<PresenceWatcher[]>;
}

/** Stores each account's latest lookup, so consecutive keystrokes count as one lookup. */
export interface LatestLookupStore {
  /** Returns true if the text extends the latest lookup of a moment ago, and then replaces it. */
  goesOn(actor: UserId, text: string): Promise<boolean>;
  /** Stores a counted lookup. */
  begin(actor: UserId, text: string): Promise<void>;
}

/** Stores when people were last connected. Excludes those who show it to nobody or chose to appear offline. */
export interface LastSeenStore {
  recordLastSeen(userId: UserId, at: Date): Promise<void>;
  forget(userId: UserId): Promise<void>;
  /** Deletes old entries. */
  sweep(now: Date): Promise<void>;
}
