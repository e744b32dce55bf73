import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { SettingServiceDefinition } from '@nolo/proto/settings';
import { isSettingName, normalizeSettingValue, describeSettingChoices } from '@nolo/rules';
import type { InstallationSettingStore } from '../domain/installationSettings.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, createOperatorAdmission, requireAdmitted } from './operators.ts';

interface Needs extends Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'metrics' | 'operators'> {
  readonly installationSettings: InstallationSettingStore;
}
type Handler<Name extends keyof (typeof SettingServiceDefinition)['methods']> = RpcHandler<
  (typeof SettingServiceDefinition)['methods'][Name]
>;

export function createSettingHandlers(dependencies: Needs): RpcHandlers<typeof SettingServiceDefinition> {
  return {
    listCurrentSettings: listCurrentSettings(dependencies),
    listSettings: listSettings(dependencies),
    changeSetting: changeSetting(dependencies),
  };
}

function listCurrentSettings({ installationSettings }: Needs): Handler<'listCurrentSettings'> {
  return async () => ({ settings: await installationSettings.current() });
}

function listSettings({ installationSettings, clock }: Needs): Handler<'listSettings'> {
  return async (request) => {
    const { settings } = requireAdmitted(await installationSettings.list(readOperatorSession(request), clock.now()));
    return { settings };
  };
}

function changeSetting(dependencies: Needs): Handler<'changeSetting'> {
  const { installationSettings, clock, metrics } = dependencies;
  const admit = createOperatorAdmission(dependencies);
  return async (request) => {
    const acting = readOperatorSession(request);
    const { name = '', value: text } = request;
    // Checked first, so people who are not operators learn nothing about validation.
    if (!isSettingName(name)) {
      await admit(request);
      throw createIdentityError('not_found', 'setting_unknown', 'This setting does not exist.');
    }
    const value = text === undefined ? null : normalizeSettingValue(name, text);
    if (value === undefined) {
      await admit(request);
      throw createIdentityError('invalid', 'setting_invalid', describeSettingChoices(name), { setting: name });
    }
    const { settings } = requireAdmitted(await installationSettings.change(acting, name, value, clock.now()));
    metrics.operatorActs.inc({ action: 'setting_changed' });
    return { settings };
  };
}
