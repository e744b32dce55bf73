import type { Peer } from '../media/Peer.ts';
import { scoresOf } from '../media/peerStats.ts';
import type { Rooms } from '../media/Rooms.ts';

/** Tells participants how well they send and receive, where that changed. */
export function tellScores(rooms: Rooms): () => void {
  const told = new WeakMap<Peer, { send: number; receive: number }>();
  return () => {
    for (const peer of rooms.peers()) {
      const scores = scoresOf(peer);
      // Silence means that all is well, so the first frame is one with something to say.
      const before = told.get(peer) ?? { send: 10, receive: 10 };
      if (scores.send === before.send && scores.receive === before.receive) continue;
      told.set(peer, scores);
      peer.frame({ type: 'media_score', data: scores });
    }
  };
}
