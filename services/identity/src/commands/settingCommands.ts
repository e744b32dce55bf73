import {
  installationSettings as known,
  isSettingName,
  settingNames,
  normalizeSettingValue,
  describeSettingChoices,
  type SettingName,
} from '@nolo/rules';
import type { StoredSettingValue } from '../domain/installationSettings.ts';
import {
  commandLineActor,
  CommandRefusedError,
  type Command,
  type CommandDependencies,
  type CommandArguments,
} from './commandTools.ts';

function settingLine(name: SettingName, set: StoredSettingValue | undefined): string {
  const { from, defaultValue } = known[name];
  const configured = from
    ? `as configured by ${from.variable} of ${from.service}`
    : `default of this version: ${defaultValue}`;
  const value = set ? `${set.value}  since ${set.changedAt.toISOString()}` : configured;
  return `${name}  ${value}`;
}

function nameOf({ account: name = '' }: CommandArguments): SettingName {
  if (isSettingName(name)) return name;
  throw new CommandRefusedError(`Unknown setting "${name}". The settings are: ${settingNames.join(', ')}.`);
}

async function change(
  { installationSettings, clock, print }: CommandDependencies,
  name: SettingName,
  value: string | null,
) {
  const done = await installationSettings.change(commandLineActor, name, value, clock.now());
  if (done.outcome !== 'changed') throw new CommandRefusedError('The setting could not be changed.');
  print(
    settingLine(
      name,
      done.settings.find((one) => one.name === name),
    ),
  );
}

/** Commands for runtime settings. */
export const settingCommands: Record<string, Command> = {
  async 'settings list'({ installationSettings, print }) {
    const set = new Map((await installationSettings.current()).map((one) => [one.name, one]));
    for (const name of settingNames) print(settingLine(name, set.get(name)));
  },

  async 'settings set'(tools, words) {
    const name = nameOf(words);
    const value = normalizeSettingValue(name, words.value ?? '');
    if (value === undefined) throw new CommandRefusedError(describeSettingChoices(name));
    await change(tools, name, value);
  },

  async 'settings reset'(tools, words) {
    await change(tools, nameOf(words), null);
  },
};
