import type { Platform } from '../domain/platform.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { SocialMetrics } from '../metrics.ts';
import type { Platforms } from './createPlatforms.ts';

type Seconds = SocialMetrics['platformSeconds'];

/** Wraps platforms to measure the duration and outcome of each operation. */
export function measurePlatforms(platforms: Platforms, seconds: Seconds): Platforms {
  return new Map([...platforms].map(([id, platform]) => [id, measuredOne(platform, seconds)]));
}

function measuredOne(platform: Platform, seconds: Seconds): Platform {
  const timed =
    <Given extends unknown[], Result>(operation: string, work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const end = seconds.startTimer({ platform: platform.id, operation });
      try {
        const result = await work(...given);
        end({ outcome: 'ok' });
        return result;
      } catch (error) {
        end({ outcome: error instanceof PlatformError ? error.reason : 'failed' });
        throw error;
      }
    };
  const { connect, refresh, revoke, publish, find } = platform;
  return {
    ...platform,
    connect:
      connect.kind === 'oauth'
        ? { ...connect, finish: timed('connect', connect.finish) }
        : { ...connect, signIn: timed('connect', connect.signIn) },
    refresh: refresh && timed('refresh', refresh),
    revoke: timed('revoke', revoke),
    publish: timed('publish', publish),
    find: timed('find', find),
  };
}
