import type { Redis } from 'ioredis';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { errorTypeOf, startSpan } from '../telemetry/tracing.ts';

/** Measures commands, and creates spans, named after the command only, for those that belong to a trace. */
export function watchRedis(redis: Redis, registry: Registry | undefined): void {
  const meters = registry && createMeters(redis, registry);
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const span = startSpan(command.name, {
      kind: 'client',
      attributes: { 'db.system.name': 'redis', 'db.operation.name': command.name },
    });
    if (meters || span) {
      const begun = performance.now();
      const ended = () => {
        meters?.seconds.observe((performance.now() - begun) / 1000);
        span?.end();
      };
      command.promise.then(ended, (error: unknown) => {
        // A script that Redis does not know yet is then sent in full.
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) {
          meters?.errors.inc();
          span?.fail(errorTypeOf(error));
        }
        ended();
      });
    }
    return send(command, stream);
  };
}

function createMeters(redis: Redis, registry: Registry) {
  const registers = [registry];
  new Gauge({
    name: 'nolo_redis_connected',
    help: 'State of the connection to Redis: 1 if connected, otherwise 0.',
    registers,
    collect() {
      this.set(redis.status === 'ready' ? 1 : 0);
    },
  });
  return {
    seconds: new Histogram({
      name: 'nolo_redis_command_seconds',
      help: 'Duration of Redis commands, including failed ones, in seconds.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
      registers,
    }),
    errors: new Counter({ name: 'nolo_redis_errors_total', help: 'Failed Redis commands.', registers }),
  };
}
