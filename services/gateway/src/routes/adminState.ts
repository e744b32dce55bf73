import { routes, type AdminPart, type AdminState, type Features } from '@nolo/api';
import { describePart } from '@nolo/kit/part';
import { operatorGuard } from '@nolo/kit/proof';
import { demoRateLimits, limits, rateLimits, socialLimits } from '@nolo/rules';
import type { DescribePartReply } from '@nolo/proto/part';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import type { HealthCheck } from '../http/health.ts';
import { asking } from './asking.ts';
import { featuresOf, featureVariables } from './features.ts';
import { isoTime, orNull } from './mapPeople.ts';

/** As long as health waits for a part. */
const timeoutMs = 1_500;

const buildOf = ({ version, commit, since, settings }: DescribePartReply): NonNullable<AdminPart['build']> => ({
  version: version ?? '',
  commit: orNull(commit),
  since: isoTime(since),
  settings: settings.map(({ variable = '', value = '' }) => ({ variable, value })),
});

function limitsOf(demo: boolean): AdminState['limits'] {
  const fixed = Object.entries({ ...limits, ...socialLimits }).map(([name, value]) => ({ name, value, seconds: null }));
  const counted = Object.entries({ ...rateLimits, ...(demo && demoRateLimits) }).map(
    ([name, { points, durationSeconds }]) => ({ name, value: points, seconds: durationSeconds }),
  );
  return [...counted, ...fixed].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** What operators see of the installation itself. Changing it is configuration's alone. */
export function bindAdminState(bind: Bind, edge: Edge, health: HealthCheck): void {
  const { operators, parts, config, clock } = edge;
  const admit = operatorGuard(operators);
  const describeOwn = describePart({ config, clock });

  bind(routes.getAdminState, async ({ actor, rpc }) => {
    await admit(asking(actor), rpc);
    const describe = async (name: string): Promise<AdminPart['build']> => {
      if (name === 'gateway') return buildOf(await describeOwn());
      try {
        return (await parts[name]?.describePart({}, { ...rpc, timeoutMs }).then(buildOf)) ?? null;
      } catch {
        // Health tells of one that is away.
        return null;
      }
    };
    const { status, parts: seen } = await health.check();
    const all: typeof seen = { gateway: { ok: true }, ...seen };
    const features = Object.entries(featuresOf(edge)) as [keyof Features, boolean][];
    return {
      status,
      parts: await Promise.all(
        Object.entries(all).map(async ([name, { ok, detail }]) => ({
          name,
          ok,
          detail: orNull(detail),
          build: await describe(name),
        })),
      ),
      features: features.map(([name, on]) => ({ name, on, variable: featureVariables[name] ?? null })),
      limits: limitsOf(config.demo),
    };
  });
}
