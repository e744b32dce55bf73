import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { HealthCheck } from '../http/health.ts';
import { toPublicConfig } from '../mapping/publicConfig.ts';

export function bindSystem(
  bind: BindRoute,
  context: Pick<GatewayContext, 'config' | 'relyingParty' | 'settings' | 'barredHosts'>,
  dependencies: { health: HealthCheck; openApi: () => unknown },
): void {
  bind(routes.getConfig, async ({ response }) => {
    response.setHeader('Cache-Control', 'no-cache');
    return toPublicConfig(context);
  });

  bind(routes.getOpenApi, async ({ response }) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.json(dependencies.openApi());
  });

  bind(routes.getHealth, async ({ response }) => {
    const health = await dependencies.health.check();
    response.setHeader('Cache-Control', 'no-store');
    response.status(health.missing.length === 0 ? 200 : 503).json(health);
    return health;
  });
}
