import { limits, type MediaSource } from '@nolo/rules';

interface Sent {
  readonly participantId: string;
  readonly source: MediaSource;
}

/** What comes first on a page: a shared screen before cameras, and those before people who are only heard. */
const rank: Readonly<Record<MediaSource, number>> = { screen: 0, screen_audio: 0, camera: 1, microphone: 2 };

/** All that is sent by as many people as a page shows, to somebody who has not come in yet. */
export function firstPage<Track extends Sent>(tracks: Iterable<Track>, newcomerId: string): Track[] {
  const others = [...tracks].filter(({ participantId }) => participantId !== newcomerId);
  others.sort((a, b) => rank[a.source] - rank[b.source]);
  const shown = new Set([...new Set(others.map(({ participantId }) => participantId))].slice(0, limits.visibleTiles));
  return others.filter(({ participantId }) => shown.has(participantId)).slice(0, limits.seatConsumers);
}
