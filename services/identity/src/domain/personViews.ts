import { formatFullName, type Audience, type PresenceStatus } from '@nolo/rules';
import type { UserId } from '@nolo/kit/ids';
import type { PersonWithRelation, PeopleReader } from './peoplePorts.ts';
import type { OnlineUsers } from './ports.ts';
import { isVisibleTo, computeShownPresence } from './presence.ts';

/** Person as one viewer may see them. */
export interface PersonView {
  id: UserId;
  firstName: string;
  lastName: string;
  displayName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  /** Rounded to the minute. Present only if the person appears offline and the viewer may see it. */
  lastSeenAt?: Date;
  isContact: boolean;
  isBlocked: boolean;
  /** Internal, never sent to clients: whose calls ring, who may add them to groups, and whom they know. */
  callsFrom: Audience;
  groupsFrom: Audience;
  knowsViewer: boolean;
}

export type LoadPersonViews = (viewerId: UserId, userIds: readonly UserId[]) => Promise<Map<UserId, PersonView>>;

/** Returns the name given by the viewer, else the person's own name, else the number in the viewer's contact. */
function displayNameOf(person: PersonWithRelation): string {
  if (person.contactNamed && person.contactName !== null) return person.contactName;
  return formatFullName(person.firstName, person.lastName) || (person.contactNumber ?? person.contactName ?? '');
}

/**
 * Returns whether the viewer may see the picture. Blocked people still see a picture that is visible to everyone,
 * because its disappearance would reveal the block.
 */
function seesPicture(person: PersonWithRelation, isSelf: boolean): boolean {
  return isVisibleTo(person.pictureVisibility, { isSelf, knowsViewer: person.knowsViewer, blocksViewer: false });
}

function viewOf(viewerId: UserId, person: PersonWithRelation, connected: boolean): PersonView {
  const isSelf = person.id === viewerId;
  return {
    id: person.id,
    firstName: person.firstName,
    lastName: person.lastName,
    displayName: displayNameOf(person),
    profileImagePath: seesPicture(person, isSelf) ? person.profileImagePath : '',
    isContact: person.contactName !== null,
    isBlocked: person.isBlocked,
    callsFrom: person.callsFrom,
    groupsFrom: person.groupsFrom,
    knowsViewer: person.knowsViewer,
    ...computeShownPresence(person, connected, { ...person, isSelf }),
  };
}

/** Builds views with two queries for any number of people: one to the store and one for connections. */
export function createPersonViewLoader(options: { people: PeopleReader; connections: OnlineUsers }): LoadPersonViews {
  return async (viewerId, userIds) => {
    if (userIds.length === 0) return new Map();
    const [acquaintances, online] = await Promise.all([
      options.people.acquaintances(viewerId, [...new Set(userIds)]),
      // Presence is optional: if it is unavailable, people appear offline and the rest still works.
      options.connections.online(userIds).catch(() => new Set<string>()),
    ]);
    return new Map(acquaintances.map((person) => [person.id, viewOf(viewerId, person, online.has(person.id))]));
  };
}
