import { routes, type AdminServiceInfo, type InstallationState, type Features } from '@nolo/api';
import { describeService } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { demoRateLimits, limits, rateLimits, socialLimits } from '@nolo/rules';
import type { DescribeServiceReply } from '@nolo/proto/admin';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { HealthCheck } from '../http/health.ts';
import { callerOf } from './callerOf.ts';
import { featuresOf, featureEnvironmentVariables } from '../mapping/features.ts';
import { toIsoTime, emptyToNull } from '../mapping/people.ts';

/** Equals the timeout of the health check for a service. */
const timeoutMs = 1_500;

const buildOf = ({
  version,
  commit,
  since,
  settings,
}: DescribeServiceReply): NonNullable<AdminServiceInfo['build']> => ({
  version: version ?? '',
  commit: emptyToNull(commit),
  since: toIsoTime(since),
  settings: settings.map(({ variable = '', value = '' }) => ({ variable, value })),
});

function limitsOf(demo: boolean): InstallationState['limits'] {
  const fixed = Object.entries({ ...limits, ...socialLimits }).map(([name, value]) => ({ name, value, seconds: null }));
  const counted = Object.entries({ ...rateLimits, ...(demo && demoRateLimits) }).map(
    ([name, { points, durationSeconds }]) => ({ name, value: points, seconds: durationSeconds }),
  );
  return [...counted, ...fixed].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Routes that show operators the state of the installation. They change nothing: that requires configuration. */
export function bindAdminState(
  bind: BindRoute,
  context: Pick<GatewayContext, 'operators' | 'serviceAdmins' | 'config' | 'clock' | 'relyingParty' | 'settings'>,
  health: HealthCheck,
): void {
  const { operators, serviceAdmins, config, clock } = context;
  const admit = createOperatorGuard(operators);
  const describeOwn = describeService({ config, clock });

  bind(routes.getAdminState, async ({ actor, rpc }) => {
    await admit(callerOf(actor), rpc);
    const describe = async (name: string): Promise<AdminServiceInfo['build']> => {
      if (name === 'gateway') return buildOf(await describeOwn());
      try {
        return (await serviceAdmins[name]?.describeService({}, { ...rpc, timeoutMs }).then(buildOf)) ?? null;
      } catch {
        // The service is down, which the health check reports.
        return null;
      }
    };
    const { status, parts: seen } = await health.check();
    const all: typeof seen = { gateway: { ok: true }, ...seen };
    const features = Object.entries(featuresOf(context)) as [keyof Features, boolean][];
    return {
      status,
      parts: await Promise.all(
        Object.entries(all).map(async ([name, { ok, detail }]) => ({
          name,
          ok,
          detail: emptyToNull(detail),
          build: await describe(name),
        })),
      ),
      features: features.map(([name, on]) => ({ name, on, variable: featureEnvironmentVariables[name] ?? null })),
      limits: limitsOf(config.demo),
    };
  });
}
