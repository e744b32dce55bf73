import type { SettingName } from '@nolo/rules';
import type { Acting, Refused } from './operatorPorts.ts';

/** Operator setting that replaces a configured value. */
export interface SetValue {
  name: string;
  value: string;
  changedAt: Date;
}

/** Stores operators' runtime settings. */
export interface InstallationSettings {
  current(): Promise<SetValue[]>;
  list(acting: Acting, now: Date): Promise<Refused | { outcome: 'listed'; settings: SetValue[] }>;
  /** @param value null restores the configured value */
  change(
    acting: Acting,
    name: SettingName,
    value: string | null,
    now: Date,
  ): Promise<Refused | { outcome: 'changed'; settings: SetValue[] }>;
}
