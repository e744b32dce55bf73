import { isAmong, visiblePresence, type Audience, type PresenceStatus, type PresenceVisibility } from '@nolo/rules';

/** How a viewer stands to the person looked at. */
export interface Standing {
  isSelf: boolean;
  /** The person has the viewer in their contact list. */
  knowsViewer: boolean;
  /** The person has blocked the viewer. */
  blocksViewer: boolean;
  /** The viewer lets the person see when they were there last; whoever does not sees it of nobody. */
  viewerShowsLastSeen: boolean;
}

/** As one looks at oneself. */
export const asSelf: Standing = {
  isSelf: true,
  knowsViewer: true,
  blocksViewer: false,
  viewerShowsLastSeen: true,
};

/**
 * Whether something of the person's may be shown: presence and status message, when they were there last, or the picture.
 */
export function mayBeSeen(
  visibility: Audience,
  { isSelf, knowsViewer, blocksViewer }: Pick<Standing, 'isSelf' | 'knowsViewer' | 'blocksViewer'>,
): boolean {
  if (isSelf) return true;
  if (blocksViewer) return false;
  return isAmong(visibility, knowsViewer);
}

export interface PresenceFacts {
  presenceStatus: PresenceStatus;
  statusMessage: string;
  presenceVisibility: PresenceVisibility;
  lastSeenVisibility: Audience;
  lastSeenAt: Date | null;
}

export interface ShownPresence {
  presenceStatus: PresenceStatus;
  statusMessage: string;
  /** To the minute; only of whoever looks offline, to those who may see it. */
  lastSeenAt?: Date;
}

/** What others see who may see nothing; the same as a person who is away and has written nothing. */
export const hiddenPresence: ShownPresence = { presenceStatus: 'offline', statusMessage: '' };

export function shownPresence(facts: PresenceFacts, connected: boolean, standing: Standing): ShownPresence {
  const seen = mayBeSeen(facts.presenceVisibility, standing);
  const shown = visiblePresence(facts.presenceStatus, connected, seen);
  const { lastSeenAt } = facts;
  const seenLast =
    shown === 'offline' &&
    lastSeenAt !== null &&
    !standing.isSelf &&
    standing.viewerShowsLastSeen &&
    mayBeSeen(facts.lastSeenVisibility, standing);
  return {
    presenceStatus: shown,
    statusMessage: seen ? facts.statusMessage : '',
    ...(seenLast && { lastSeenAt }),
  };
}
