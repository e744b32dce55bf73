import type { ConversationId, UserId } from '@nolo/kit/ids';
import { isAmong, type Audience } from '@nolo/rules';
import type { Page, TimePlace } from './groupPorts.ts';

/** Who may add somebody to groups without asking, and what identity knows of who wants to. */
export interface Choice {
  readonly groupsFrom: Audience;
  /** Whether the person has whoever adds them as a contact. */
  readonly isContact: boolean;
}

/** Whether somebody is added at once. Whose chat was accepted is no stranger (decision 39). */
export function mayAdd({ groupsFrom, isContact }: Choice, isAccepted: boolean): boolean {
  return isAmong(groupsFrom, isContact || isAccepted);
}

/** An invitation as whoever is invited sees it: of the group only what it is called and how large it is. */
export interface Invitation {
  readonly conversationId: ConversationId;
  readonly name: string;
  readonly memberCount: number;
  readonly invitedBy: UserId;
  readonly invitedAt: Date;
}

/** Somebody who was invited, as members see it; whether it was declined nobody is told. */
export interface Invited {
  readonly userId: UserId;
  readonly invitedBy: UserId;
  readonly invitedAt: Date;
}

export interface InvitationStore {
  /** What waits for somebody's answer, latest first. What people who are blocked did is left out. */
  of(userId: UserId, limit: number): Promise<Invitation[]>;
  /** Who is invited to a group, earliest first. */
  to(id: ConversationId, place: TimePlace | undefined, limit: number): Promise<Page<Invited>>;
  /** Ends invitations of before a moment, so many at most, and says how many there were. */
  endAged(before: Date, limit: number): Promise<number>;
}
