/** How busy a worker is: `cost` counts the streams it has to send, `load` is its share of a core. */
export interface Busy {
  readonly cost: number;
  readonly load: number;
}

/** Streams that one participant gets at most at a time: the visible tiles and the loudest voices. */
const streamsPerPeer = 15;

/** What a participant counts who was just let in, and for whom nothing is sent yet. */
const streamsOfNewPeer = 3;

/** What a participant costs a worker: consumers beyond what is sent at a time are paused and cost next to nothing. */
export function costOfPeer(consumers: number): number {
  return Math.min(streamsPerPeer, Math.max(streamsOfNewPeer, consumers));
}

export function leastBusy<Worker extends Busy>(workers: readonly Worker[]): Worker | undefined {
  return workers.reduce<Worker | undefined>((best, worker) => {
    if (!best || worker.cost < best.cost) return worker;
    return worker.cost === best.cost && worker.load < best.load ? worker : best;
  }, undefined);
}

/**
 * Where the next participant of a room goes: to a worker that carries the room already while one has room for more,
 * because every further worker needs the room's media piped to it; then to the least busy of all.
 */
export function placePeer<Worker extends Busy>(
  carrying: readonly Worker[],
  workers: readonly Worker[],
  limit: number,
): Worker | undefined {
  const present = leastBusy(carrying);
  if (present && present.cost < limit) return present;
  return leastBusy(workers) ?? present;
}
