import { routes, type AdminSetting } from '@nolo/api';
import { describeService } from '@nolo/installation/serviceAdmin';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { DescribeServiceReply } from '@nolo/proto/admin';
import type { Setting } from '@nolo/proto/settings';
import { installationSettings, settingNames, type InstallationSetting, type SettingName } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime, emptyToNull } from '../mapping/people.ts';

/** Equals the timeout of the health check for a service. */
const timeoutMs = 1_500;

/** Returns the variables of a service, or undefined if it does not respond. */
type VariablesOf = (serviceName: string) => ReadonlyMap<string, string> | undefined;

const variablesIn = ({ settings }: Pick<DescribeServiceReply, 'settings'>): ReadonlyMap<string, string> =>
  new Map(settings.map(({ variable = '', value = '' }) => [variable, value]));

/** Returns the value that applies when operators set none, or null if the owning service does not respond. */
function configured({ kind, from, defaultValue }: InstallationSetting, variablesOf: VariablesOf): string | null {
  if (!from) return defaultValue;
  const variables = variablesOf(from.service);
  if (!variables) return null;
  const value = variables.get(from.variable);
  if (value === undefined || kind !== 'switch') return value ?? defaultValue;
  return value === 'true' ? 'on' : 'off';
}

function toAdmin(name: SettingName, row: Setting | undefined, variablesOf: VariablesOf): AdminSetting {
  const setting = installationSettings[name];
  const defaultValue = configured(setting, variablesOf);
  return {
    name,
    kind: setting.kind,
    ...(setting.kind === 'choice' && { options: [...setting.of] }),
    ...(setting.kind === 'amount' && { min: setting.min, max: setting.max }),
    value: row?.value ?? defaultValue,
    isSet: row !== undefined,
    configured: defaultValue,
    variable: emptyToNull(setting.from?.variable),
    changedAt: row ? toIsoTime(row.changedAt) : null,
  };
}

/** Routes for settings that operators change at runtime. Identity stores them, authorizes changes, and logs them. */
export function bindAdminSettings(
  bind: BindRoute,
  {
    config,
    clock,
    serviceAdmins,
    settingService,
  }: Pick<GatewayContext, 'config' | 'clock' | 'serviceAdmins' | 'settingService'>,
): void {
  const describeOwn = describeService({ config, clock });

  const describe = async (rows: readonly Setting[], rpc: RpcCallOptions): Promise<AdminSetting[]> => {
    const named = new Set(settingNames.flatMap((name) => installationSettings[name].from?.service ?? []));
    const found = new Map<string, ReadonlyMap<string, string>>();
    await Promise.all(
      [...named].map(async (serviceName) => {
        const client = serviceAdmins[serviceName];
        const reply = serviceName === 'gateway' ? describeOwn() : client?.describeService({}, { ...rpc, timeoutMs });
        // The configuration of an unreachable service is unknown.
        const variables = await reply?.then(variablesIn).catch(() => undefined);
        if (variables) found.set(serviceName, variables);
      }),
    );
    const set = new Map(rows.map((row) => [row.name, row]));
    return settingNames.map((name) => toAdmin(name, set.get(name), (serviceName) => found.get(serviceName)));
  };

  bind(routes.listSettings, async ({ actor, rpc }) => {
    const { settings } = await settingService.listSettings(callerOf(actor), rpc);
    return describe(settings, rpc);
  });
  bind(routes.changeSetting, async ({ actor, params: { name }, body: { value }, rpc }) => {
    const change = { ...callerOf(actor), name, value: value ?? undefined };
    const { settings } = await settingService.changeSetting(change, rpc);
    return describe(settings, rpc);
  });
}
