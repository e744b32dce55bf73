import type { LoadStack } from './loadStack.ts';
import { readCpuMs, readProcessTreeCpuMs } from './measure.ts';

/**
 * Returns the milliseconds of CPU used so far by all processes on a message's way, and by those of the measurement
 * itself.
 */
export function readAllCpuMs(stack: LoadStack, own: Record<string, number>): Record<string, number> {
  return {
    gateway: readCpuMs(stack.pid('gateway')),
    identity: readCpuMs(stack.pid('identity')),
    chat: readCpuMs(stack.pid('chat')),
    postgres: readProcessTreeCpuMs(stack.backing.postgres.pid() ?? 0),
    redis: readCpuMs(stack.backing.redis.pid() ?? 0),
    nats: readCpuMs(stack.backing.nats.pid() ?? 0),
    ...Object.fromEntries(Object.entries(own).map(([name, pid]) => [name, readCpuMs(pid)])),
  };
}
