import type { UserId } from '@nolo/kit/ids';
import type { Audience, PresenceStatus, PresenceVisibility } from '@nolo/rules';

/** A person together with how they and the viewer stand to each other. */
export interface Acquaintance {
  id: UserId;
  firstName: string;
  lastName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  presenceVisibility: PresenceVisibility;
  lastSeenVisibility: Audience;
  lastSeenAt: Date | null;
  pictureVisibility: Audience;
  callsFrom: Audience;
  groupsFrom: Audience;
  /** The name in the viewer's contacts. */
  contactName: string | null;
  /** The viewer gave that name; else it was only filled in. */
  contactNamed: boolean;
  /** The number that the viewer has of the person. */
  contactNumber: string | null;
  /** The viewer has blocked the person. */
  isBlocked: boolean;
  /** The person has blocked the viewer. */
  blocksViewer: boolean;
  /** The person has the viewer in their contacts. */
  knowsViewer: boolean;
  /** The viewer lets the person see when they were there last, and has not blocked them. */
  viewerShowsLastSeen: boolean;
}

export type Watcher = { userId: UserId } & Pick<Acquaintance, 'knowsViewer' | 'blocksViewer' | 'viewerShowsLastSeen'>;

/** All look-ups leave out the viewer, and among strangers whoever has blocked the viewer; the order is that of names. */
/** A part of a name that a search is after. */
export interface SearchedName {
  /** As `foldText` of the rules folds it. */
  folded: string;
  /** In lower case, for names that are not folded yet. */
  written: string;
}

export interface People {
  /** In no order, without ids that do not exist. */
  acquaintances(viewerId: UserId, userIds: readonly UserId[]): Promise<Acquaintance[]>;
  contactsNamed(viewerId: UserId, part: SearchedName, limit: number): Promise<UserId[]>;
  discoverableNamed(viewerId: UserId, prefix: SearchedName, limit: number): Promise<UserId[]>;
  withPhoneNumber(viewerId: UserId, phoneNumber: string): Promise<UserId[]>;
  withEmail(viewerId: UserId, email: string, limit: number): Promise<UserId[]>;
  /** Who may care about a person's presence: those who have them as a contact, and their own contacts. */
  watchers(userId: UserId, limit: number): Promise<Watcher[]>;
}

/** What each account looked up last, for letters that are typed one after the other are one look-up. */
export interface Lookups {
  /** Whether the text begins with what was looked up last, a moment ago. If so it takes its place. */
  goesOn(actor: UserId, text: string): Promise<boolean>;
  /** Notes a look-up that was counted. */
  begin(actor: UserId, text: string): Promise<void>;
}

/** When people were connected last; kept of nobody who shows it to nobody, or who chose to look offline. */
export interface LastSeen {
  note(userId: UserId, at: Date): Promise<void>;
  forget(userId: UserId): Promise<void>;
  /** What is old is forgotten. */
  sweep(now: Date): Promise<void>;
}
