import { fullName, type Audience, type PresenceStatus } from '@nolo/rules';
import type { UserId } from '@nolo/kit/ids';
import type { Acquaintance, People } from './peoplePorts.ts';
import type { Connections } from './ports.ts';
import { mayBeSeen, shownPresence } from './presence.ts';

/** A person as one viewer may see them. */
export interface PersonView {
  id: UserId;
  firstName: string;
  lastName: string;
  displayName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  /** To the minute; only where the person looks offline and the viewer may see it. */
  lastSeenAt?: Date;
  isContact: boolean;
  isBlocked: boolean;
  /** For services to decide by, and for nobody to see: for whose calls it rings, who may add them to groups, and whom they know. */
  callsFrom: Audience;
  groupsFrom: Audience;
  knowsViewer: boolean;
}

export type ViewPeople = (viewerId: UserId, userIds: readonly UserId[]) => Promise<Map<UserId, PersonView>>;

/** The name that the viewer gave, else the person's own, else the number that the viewer has of them. */
function displayNameOf(person: Acquaintance): string {
  if (person.contactNamed && person.contactName !== null) return person.contactName;
  return fullName(person.firstName, person.lastName) || (person.contactNumber ?? person.contactName ?? '');
}

/** A blocked person keeps seeing the picture that everybody sees: one that went would tell of the block. */
function seesPicture(person: Acquaintance, isSelf: boolean): boolean {
  return mayBeSeen(person.pictureVisibility, { isSelf, knowsViewer: person.knowsViewer, blocksViewer: false });
}

function viewOf(viewerId: UserId, person: Acquaintance, connected: boolean): PersonView {
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
    ...shownPresence(person, connected, { ...person, isSelf }),
  };
}

/** Two questions for any number of people: one to the store and one about connections. */
export function createPersonViews(options: { people: People; connections: Connections }): ViewPeople {
  return async (viewerId, userIds) => {
    if (userIds.length === 0) return new Map();
    const [acquaintances, online] = await Promise.all([
      options.people.acquaintances(viewerId, [...new Set(userIds)]),
      // Who is connected is an ornament: where it cannot be known, people look offline and the rest stays.
      options.connections.online(userIds).catch(() => new Set<string>()),
    ]);
    return new Map(acquaintances.map((person) => [person.id, viewOf(viewerId, person, online.has(person.id))]));
  };
}
