import type { Peer } from '../media/Peer.ts';
import { scoresOf, type Scores } from '../media/peerStats.ts';
import type { Rooms } from '../media/Rooms.ts';

const allWell = JSON.stringify({ send: 10, receive: 10, poor: [] } satisfies Scores);

/** Sends participants their send and receive quality when it changes. */
export function tellScores(rooms: Rooms): () => void {
  const told = new WeakMap<Peer, string>();
  return () => {
    for (const peer of rooms.peers()) {
      const scores = scoresOf(peer);
      // Clients assume good quality until notified, so the first frame is sent when it is not.
      const now = JSON.stringify(scores);
      if (now === (told.get(peer) ?? allWell)) continue;
      told.set(peer, now);
      peer.frame({ type: 'media_score', data: scores });
    }
  };
}
