/** Load of a worker: `cost` is the number of streams it has to send, `load` its share of a core. */
export interface WorkerLoad {
  readonly cost: number;
  readonly load: number;
}

/** Maximum streams sent to one participant at a time: the visible tiles and the loudest voices. */
const streamsPerPeer = 15;

/** Streams assumed for a participant who just joined and receives nothing yet. */
const streamsOfNewPeer = 3;

/** Returns what a participant costs a worker. Consumers beyond the maximum are paused and cost almost nothing. */
export function computePeerCost(consumers: number): number {
  return Math.min(streamsPerPeer, Math.max(streamsOfNewPeer, consumers));
}

export function findLeastBusy<Worker extends WorkerLoad>(workers: readonly Worker[]): Worker | undefined {
  return workers.reduce<Worker | undefined>((best, worker) => {
    if (!best || worker.cost < best.cost) return worker;
    return worker.cost === best.cost && worker.load < best.load ? worker : best;
  }, undefined);
}

/**
 * Chooses the worker for a room's next participant: one that already carries the room and has capacity, because every
 * further worker needs the room's media piped to it; otherwise the least busy worker.
 */
export function choosePeerWorker<Worker extends WorkerLoad>(
  carrying: readonly Worker[],
  workers: readonly Worker[],
  limit: number,
): Worker | undefined {
  const present = findLeastBusy(carrying);
  if (present && present.cost < limit) return present;
  return findLeastBusy(workers) ?? present;
}
