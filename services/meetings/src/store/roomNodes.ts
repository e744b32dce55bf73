import type { RoomId } from '@nolo/kit/ids';
import type { Redis } from '@nolo/kit/redis';
import type { RoomNode, RoomStore } from '../domain/ports.ts';
import { insideKey, nodesKey, nodeRoomsKey, abandonedRoomSeconds, withCacheErrors } from './roomKeys.ts';

// KEYS: inside, nodes. Returns and deletes the nodes of an empty room.
const takeNodesScript = `
if redis.call('hlen', KEYS[1]) > 0 then return {} end
local nodes = redis.call('lrange', KEYS[2], 0, -1)
redis.call('del', KEYS[2])
return nodes`;

// KEYS: nodes, rooms of the node. ARGV: node as JSON, expected length, room id, seconds.
const addNodeScript = `
if redis.call('llen', KEYS[1]) == tonumber(ARGV[2]) then
  redis.call('rpush', KEYS[1], ARGV[1])
  redis.call('expire', KEYS[1], ARGV[4])
  redis.call('sadd', KEYS[2], ARGV[3])
  redis.call('expire', KEYS[2], ARGV[4])
end
return redis.call('lrange', KEYS[1], 0, -1)`;

// KEYS: nodes, rooms of the node. ARGV: node id, room id.
const removeNodeScript = `
redis.call('srem', KEYS[2], ARGV[2])
for _, one in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
  if cjson.decode(one).nodeId == ARGV[1] then return redis.call('lrem', KEYS[1], 1, one) end
end
return 0`;

/** Stores which media nodes carry a room. */
export function createRoomNodeStore(
  redis: Redis,
): Pick<RoomStore, 'nodes' | 'addNode' | 'removeNode' | 'roomsOn' | 'takeNodes'> {
  return {
    nodes: async (roomId) =>
      (await withCacheErrors(redis.lrange(nodesKey(roomId), 0, -1))).map((json) => JSON.parse(json) as RoomNode),

    async addNode(roomId, node, expected) {
      const list = (await withCacheErrors(
        redis.eval(
          addNodeScript,
          2,
          nodesKey(roomId),
          nodeRoomsKey(node.nodeId),
          JSON.stringify(node),
          expected,
          roomId,
          abandonedRoomSeconds,
        ),
      )) as string[];
      return list.map((json) => JSON.parse(json) as RoomNode);
    },

    removeNode: async (roomId, nodeId) =>
      (await withCacheErrors(
        redis.eval(removeNodeScript, 2, nodesKey(roomId), nodeRoomsKey(nodeId), nodeId, roomId),
      )) === 1,

    roomsOn: (nodeId) => withCacheErrors(redis.smembers(nodeRoomsKey(nodeId)) as Promise<RoomId[]>),

    async takeNodes(roomId) {
      const taken = (await withCacheErrors(
        redis.eval(takeNodesScript, 2, insideKey(roomId), nodesKey(roomId)),
      )) as string[];
      const nodes = taken.map((json) => JSON.parse(json) as RoomNode);
      const pipeline = redis.pipeline();
      for (const { nodeId } of nodes) pipeline.srem(nodeRoomsKey(nodeId), roomId);
      await withCacheErrors(pipeline.exec());
      return nodes;
    },
  };
}
