import { limits, type MediaSource } from '@nolo/rules';

interface Sent {
  readonly participantId: string;
  readonly source: MediaSource;
}

/** Order on a page: shared screens before cameras, and cameras before people with audio only. */
const rank: Readonly<Record<MediaSource, number>> = { screen: 0, screen_audio: 0, camera: 1, microphone: 2 };

/** Returns the tracks of as many people as one page shows, for someone who has not joined yet. */
export function selectFirstPageTracks<Track extends Sent>(tracks: Iterable<Track>, newcomerId: string): Track[] {
  const others = [...tracks].filter(({ participantId }) => participantId !== newcomerId);
  others.sort((a, b) => rank[a.source] - rank[b.source]);
  const shown = new Set([...new Set(others.map(({ participantId }) => participantId))].slice(0, limits.visibleTiles));
  return others.filter(({ participantId }) => shown.has(participantId)).slice(0, limits.preparedConsumers);
}
