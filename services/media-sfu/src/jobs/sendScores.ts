import type { Peer } from '../media/Peer.ts';
import { computeScores, type PeerScores } from '../media/peerStats.ts';
import type { Rooms } from '../media/Rooms.ts';

const allWell = JSON.stringify({ send: 10, receive: 10, poor: [] } satisfies PeerScores);

/** Sends participants their send and receive quality when it changes. */
export function createScoreSender(rooms: Rooms): () => void {
  const lastSent = new WeakMap<Peer, string>();
  return () => {
    for (const peer of rooms.peers()) {
      const scores = computeScores(peer);
      // Clients assume good quality until notified, so the first frame is sent when it is not.
      const now = JSON.stringify(scores);
      if (now === (lastSent.get(peer) ?? allWell)) continue;
      lastSent.set(peer, now);
      peer.frame({ type: 'media_score', data: scores });
    }
  };
}
