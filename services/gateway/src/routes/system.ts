import { readFileSync } from 'node:fs';
import { routes, type Config } from '@nolo/api';
import { limits, socialLimits } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { HealthCheck } from '../http/health.ts';
import { featuresOf, type FeatureSources } from './features.ts';

/** Version of this installation. All workspaces share it. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Caps an operator's value at the version's limit. */
const lesser = (most: number, set: number | undefined): number => Math.min(most, set ?? most);

/** Returns the identity and current capabilities of this installation. */
export function configOf(edge: FeatureSources & Pick<Edge, 'barredHosts'>): Config {
  const { config, settings } = edge;
  const set = settings.current();
  const keptDays = set.messagesKeptDays ?? config.MESSAGES_KEPT_DAYS ?? 0;
  return {
    demoMode: config.demo,
    ...(config.demoCode === undefined ? {} : { demoCode: config.demoCode }),
    ...(config.demo && config.OUTBOX_PAGE_URL !== undefined ? { outboxUrl: config.OUTBOX_PAGE_URL } : {}),
    version,
    limits: {
      ...limits,
      ...socialLimits,
      fileBytes: lesser(limits.fileBytes, set.fileMegabytes && set.fileMegabytes * 2 ** 20),
      groupMembersMax: lesser(limits.groupMembersMax, set.groupMembers),
      meetingParticipantsMax: lesser(limits.meetingParticipantsMax, set.meetingParticipants),
    },
    features: featuresOf(edge),
    ...(edge.barredHosts.current().size > 0 && { barredHosts: edge.barredHosts.version() }),
    registration: set.registration ?? 'open',
    ...(keptDays > 0 && { messagesKeptDays: keptDays }),
    ...(config.MEDIA_FRAMES && { mediaFrames: true }),
  };
}

export function bindSystem(bind: Bind, edge: Edge, parts: { health: HealthCheck; openApi: () => unknown }): void {
  bind(routes.getConfig, async ({ response }) => {
    response.setHeader('Cache-Control', 'no-cache');
    return configOf(edge);
  });

  bind(routes.getOpenApi, async ({ response }) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.json(parts.openApi());
  });

  bind(routes.getHealth, async ({ response }) => {
    const health = await parts.health.check();
    response.setHeader('Cache-Control', 'no-store');
    response.status(health.missing.length === 0 ? 200 : 503).json(health);
    return health;
  });
}
