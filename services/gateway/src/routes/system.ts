import { readFileSync } from 'node:fs';
import { routes } from '@nolo/api';
import { limits, socialLimits } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { HealthCheck } from '../http/health.ts';
import { featuresOf } from './features.ts';

/** The version of this installation; all workspaces carry the same. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export function bindSystem(bind: Bind, edge: Edge, parts: { health: HealthCheck; openApi: () => unknown }): void {
  const { config } = edge;

  bind(routes.getConfig, async ({ response }) => {
    response.setHeader('Cache-Control', 'no-cache');
    return {
      demoMode: config.demo,
      ...(config.demoCode === undefined ? {} : { demoCode: config.demoCode }),
      ...(config.demo && config.OUTBOX_PAGE_URL !== undefined ? { outboxUrl: config.OUTBOX_PAGE_URL } : {}),
      version,
      limits: { ...limits, ...socialLimits },
      features: featuresOf(edge),
      ...(config.MESSAGES_KEPT_DAYS !== undefined && { messagesKeptDays: config.MESSAGES_KEPT_DAYS }),
      ...(config.MEDIA_FRAMES && { mediaFrames: true }),
    };
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
