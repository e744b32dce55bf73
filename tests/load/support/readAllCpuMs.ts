import type { LoadStack } from './loadStack.ts';
import { cpuMs, familyCpuMs } from './measure.ts';

/**
 * Returns the milliseconds of CPU used so far by all processes on a message's way, and by those of the measurement
 * itself.
 */
export function readAllCpuMs(stack: LoadStack, own: Record<string, number>): Record<string, number> {
  return {
    gateway: cpuMs(stack.pid('gateway')),
    identity: cpuMs(stack.pid('identity')),
    chat: cpuMs(stack.pid('chat')),
    postgres: familyCpuMs(stack.backing.postgres.pid() ?? 0),
    redis: cpuMs(stack.backing.redis.pid() ?? 0),
    nats: cpuMs(stack.backing.nats.pid() ?? 0),
    ...Object.fromEntries(Object.entries(own).map(([name, pid]) => [name, cpuMs(pid)])),
  };
}
