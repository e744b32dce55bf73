import { readFileSync } from 'node:fs';
import { routes } from '@nolo/api';
import { builtFeatures, limits, socialLimits } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { HealthCheck } from '../http/health.ts';

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
      // What exists in this version; screens show nothing else (decision 33).
      features: {
        ...builtFeatures,
        providerSignIn: config.OIDC_ISSUER !== undefined,
        passkeys: edge.relyingParty !== undefined,
        linkPreviews: config.LINK_PREVIEWS,
        linkImports: config.LINK_IMPORTS,
        transcription: config.TRANSCRIBER_ADDR !== undefined,
        billing: builtFeatures.billing && config.BILLING_ADDR !== undefined,
        webhooks: builtFeatures.webhooks && config.NOTIFICATIONS_ADDR !== undefined,
        push: builtFeatures.push && config.NOTIFICATIONS_ADDR !== undefined,
        social: builtFeatures.social && config.SOCIAL_SCHEDULER_ADDR !== undefined,
        backgroundBlur: config.BACKGROUND_MODEL_FILE !== undefined,
      },
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
