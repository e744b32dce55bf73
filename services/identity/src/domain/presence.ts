import { isInAudience, computeVisiblePresence, type Audience, type PresenceStatus } from '@nolo/rules';

/** Relationship of a viewer with the person viewed. */
export interface ViewerRelation {
  isSelf: boolean;
  /** True if the person has the viewer in their contacts. */
  knowsViewer: boolean;
  /** True if the person has blocked the viewer. */
  blocksViewer: boolean;
  /**
   * True if the viewer shares when they were last seen with the person. Viewers who do not share it cannot see
   * anyone's.
   */
  viewerShowsLastSeen: boolean;
}

/** Relationship of a user with themselves. */
export const selfRelation: ViewerRelation = {
  isSelf: true,
  knowsViewer: true,
  blocksViewer: false,
  viewerShowsLastSeen: true,
};

/** Returns whether the viewer may see an item: presence and status message, last seen, or the picture. */
export function isVisibleTo(
  visibility: Audience,
  { isSelf, knowsViewer, blocksViewer }: Pick<ViewerRelation, 'isSelf' | 'knowsViewer' | 'blocksViewer'>,
): boolean {
  if (isSelf) return true;
  if (blocksViewer) return false;
  return isInAudience(visibility, knowsViewer);
}

export interface PresenceFacts {
  presenceStatus: PresenceStatus;
  statusMessage: string;
  presenceVisibility: Audience;
  lastSeenVisibility: Audience;
  lastSeenAt: Date | null;
}

export interface ShownPresence {
  presenceStatus: PresenceStatus;
  statusMessage: string;
  /** Rounded to the minute. Present only if the person appears offline and the viewer may see it. */
  lastSeenAt?: Date;
}

/** Presence shown to people who may see nothing. Looks like someone who is away and has written no status message. */
export const hiddenPresence: ShownPresence = { presenceStatus: 'offline', statusMessage: '' };

export function computeShownPresence(
  facts: PresenceFacts,
  connected: boolean,
  standing: ViewerRelation,
): ShownPresence {
  const seen = isVisibleTo(facts.presenceVisibility, standing);
  const shown = computeVisiblePresence(facts.presenceStatus, connected, seen);
  const { lastSeenAt } = facts;
  const seenLast =
    shown === 'offline' &&
    lastSeenAt !== null &&
    !standing.isSelf &&
    standing.viewerShowsLastSeen &&
    isVisibleTo(facts.lastSeenVisibility, standing);
  return {
    presenceStatus: shown,
    statusMessage: seen ? facts.statusMessage : '',
    ...(seenLast && { lastSeenAt }),
  };
}
