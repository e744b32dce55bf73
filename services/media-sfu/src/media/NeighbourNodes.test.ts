import type { MediaNodeId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { createFakeClock } from '@nolo/testing';
import { NeighbourNodes } from './NeighbourNodes.ts';
import type { NodeClient } from './NodeLink.ts';
import type { Rooms } from './Rooms.ts';

const other = 'other' as MediaNodeId;
const silentMs = 4000;
const address = '127.0.0.1:7001';

/** Creates a room that is piped to another node, which answers while it lives. */
function createNeighbours() {
  const clock = createFakeClock();
  const dropped: string[] = [];
  const checkedAddresses: string[] = [];
  let alive = true;
  const links = { known: [address], drop: (one: string) => dropped.push(one), dropNode() {}, retry() {} };
  const client = {
    async getNode() {
      checkedAddresses.push(address);
      if (!alive) throw new Error('nobody there');
      return { nodeId: other, draining: false };
    },
    close() {},
  };
  const neighbours = new NeighbourNodes({
    rooms: [{ links }] as unknown as Rooms,
    clock,
    log: createLog({ service: 'test', level: 'fatal' }),
    silentMs,
    connect: () => client as unknown as NodeClient,
  });
  return { clock, neighbours, dropped, asked: checkedAddresses, die: () => void (alive = false) };
}

test('a node is probed after being silent for as long as configured, and not before', async () => {
  const { clock, neighbours, asked: checkedAddresses, dropped } = createNeighbours();
  neighbours.receiveHeartbeat({ nodeId: other, rpcAddress: address, draining: false });
  clock.advance(silentMs - 1);
  await neighbours.check();
  expect(checkedAddresses).toEqual([]);
  clock.advance(1);
  await neighbours.check();
  expect(checkedAddresses).toEqual([address]);
  // The node answered, so it only lost heartbeats.
  await neighbours.check();
  expect(checkedAddresses).toEqual([address]);
  expect(dropped).toEqual([]);
});

test('a node that does not answer the probe is dead', async () => {
  const { clock, neighbours, dropped, die } = createNeighbours();
  neighbours.receiveHeartbeat({ nodeId: other, rpcAddress: address, draining: false });
  die();
  clock.advance(silentMs);
  await neighbours.check();
  expect(dropped).toEqual([address]);
});

test('a node counts as staying while it sends heartbeats and is not draining', () => {
  const { clock, neighbours } = createNeighbours();
  expect(neighbours.hasStaying).toBe(false);
  neighbours.receiveHeartbeat({ nodeId: other, rpcAddress: address, draining: false });
  expect(neighbours.hasStaying).toBe(true);
  neighbours.receiveHeartbeat({ nodeId: other, rpcAddress: address, draining: true });
  expect(neighbours.hasStaying).toBe(false);
  neighbours.receiveHeartbeat({ nodeId: other, rpcAddress: address, draining: false });
  clock.advance(silentMs + 1);
  expect(neighbours.hasStaying).toBe(false);
});
