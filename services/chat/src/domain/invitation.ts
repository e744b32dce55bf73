import type { ConversationId, UserId } from '@nolo/kit/ids';
import { isInAudience, type Audience } from '@nolo/rules';
import type { GroupListPage, TimeCursor } from './groupPorts.ts';

/** Audience that may add a person to groups without asking, and identity's data about the person who adds. */
export interface GroupPrivacyChoice {
  readonly groupsFrom: Audience;
  /** True if the person has the adding one as a contact. */
  readonly isContact: boolean;
}

/**
 * Returns true if a person is added at once. A person whose conversation was accepted is not a stranger (decision 39).
 */
export function mayAddDirectly({ groupsFrom, isContact }: GroupPrivacyChoice, isAccepted: boolean): boolean {
  return isInAudience(groupsFrom, isContact || isAccepted);
}

/** Invitation as seen by its recipient: only the group's name and size. */
interface Invitation {
  readonly conversationId: ConversationId;
  readonly name: string;
  readonly memberCount: number;
  readonly invitedBy: UserId;
  readonly invitedAt: Date;
}

/** Invited person as seen by members. They do not learn whether it was declined. */
interface Invitee {
  readonly userId: UserId;
  readonly invitedBy: UserId;
  readonly invitedAt: Date;
}

export interface InvitationStore {
  /** Lists a person's pending invitations, latest first. Omits those from blocked people. */
  of(userId: UserId, limit: number): Promise<Invitation[]>;
  /** Lists the people invited to a group, earliest first. */
  to(id: ConversationId, place: TimeCursor | undefined, limit: number): Promise<GroupListPage<Invitee>>;
  /** Ends up to `limit` invitations older than a given time. Returns their number. */
  endAged(before: Date, limit: number): Promise<number>;
}
