import { isAmong, visiblePresence, type Audience, type PresenceStatus, type PresenceVisibility } from '@nolo/rules';

/** How a viewer stands to the person looked at. */
export interface Standing {
  isSelf: boolean;
  /** The person has the viewer in their contact list. */
  knowsViewer: boolean;
  /** The person has blocked the viewer. */
  blocksViewer: boolean;
}

/**
 * Whether something of the person's may be shown: presence and status message, or the picture.
 */
export function mayBeSeen(visibility: Audience, { isSelf, knowsViewer, blocksViewer }: Standing): boolean {
  if (isSelf) return true;
  if (blocksViewer) return false;
  return isAmong(visibility, knowsViewer);
}

export interface PresenceFacts {
  presenceStatus: PresenceStatus;
  statusMessage: string;
  presenceVisibility: PresenceVisibility;
}

export interface ShownPresence {
  presenceStatus: PresenceStatus;
  statusMessage: string;
}

/** What others see who may see nothing; the same as a person who is away and has written nothing. */
export const hiddenPresence: ShownPresence = { presenceStatus: 'offline', statusMessage: '' };

export function shownPresence(facts: PresenceFacts, connected: boolean, standing: Standing): ShownPresence {
  if (!mayBeSeen(facts.presenceVisibility, standing)) return hiddenPresence;
  return {
    presenceStatus: visiblePresence(facts.presenceStatus, connected, true),
    statusMessage: facts.statusMessage,
  };
}
