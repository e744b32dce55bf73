import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bus } from '@nolo/kit/bus';
import type { MediaNodeId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { MediaNodes, type MediaNode } from './MediaNodes.ts';

const silentMs = 120;
const node: MediaNode = {
  nodeId: 'one' as MediaNodeId,
  rpcAddress: '127.0.0.1:1',
  rtpCapabilitiesJson: '{}',
  rooms: 0,
  peers: 0,
  consumers: 0,
  load: 0,
  draining: false,
  paceMs: 0,
};

describe('silence of a media node', () => {
  let gone: string[];
  let nodes: MediaNodes;
  let beat: () => void;

  beforeEach(() => {
    gone = [];
    const bus: Pick<Bus, 'subscribe' | 'onReconnect' | 'status'> = {
      subscribe: (_subject, listener) => {
        beat = () => void listener(node, 'sfu.heartbeat');
        return () => undefined;
      },
      onReconnect: () => () => undefined,
      status: () => ({ connected: true }),
    };
    nodes = new MediaNodes({
      bus: bus as Bus,
      secret: 'secret',
      log: createLog({ service: 'test', level: 'silent' }),
      silentMs,
      onGone: (nodeId) => Promise.resolve(void gone.push(nodeId)),
      onDraining: () => undefined,
    });
    beat();
  });
  afterEach(() => nodes.stop());

  // Sleeps: the timers are under test; due ones have run afterwards.
  const afterTimers = () => new Promise((resolve) => setTimeout(resolve, 1));

  it('means that it is dead', async () => {
    while (nodes.isAlive(node.nodeId)) await afterTimers();
    expect(gone).toEqual(['one']);
  });

  it('does not mean that it is dead if the listener itself was stalled', async () => {
    const until = performance.now() + 5 * silentMs;
    while (performance.now() < until);
    await afterTimers();
    expect(nodes.isAlive(node.nodeId)).toBe(true);
    expect(gone).toEqual([]);
  });
});
