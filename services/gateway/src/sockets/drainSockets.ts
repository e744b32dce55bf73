import { closeCodes } from '@nolo/api';
import { computeDrainSpreadMs } from '../domain/drainSpread.ts';
import type { ConnectionRegistry } from './connections.ts';

const drainStepMs = 50;
/** Time allowed for the client to confirm that a socket closes. */
const goodbyeMs = 1_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Closes sockets so that clients reconnect elsewhere, spread over at most `maxDrainMs`, then terminates the rest. */
export async function drainSockets(connections: ConnectionRegistry, maxDrainMs: number): Promise<void> {
  const all = [...connections.all()];
  const steps = Math.ceil(computeDrainSpreadMs(all.length, maxDrainMs) / drainStepMs);
  for (let step = 0; step <= steps; step += 1) {
    const share = (at: number) => Math.floor((all.length * at) / (steps + 1));
    const leaving = all.slice(share(step), share(step + 1));
    for (const connection of leaving) connection.close(closeCodes.draining, 'draining');
    if (step < steps) await pause(drainStepMs);
  }
  for (let waited = 0; connections.size > 0 && waited < goodbyeMs; waited += 50) await pause(50);
  for (const connection of connections.all()) connection.terminate();
}
