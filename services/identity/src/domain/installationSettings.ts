import type { SettingName } from '@nolo/rules';
import type { Acting, Refused } from './operatorPorts.ts';

/** Something that an operator set in place of what is configured. */
export interface SetValue {
  name: string;
  value: string;
  changedAt: Date;
}

/** What operators set while the installation runs. */
export interface InstallationSettings {
  current(): Promise<SetValue[]>;
  list(acting: Acting, now: Date): Promise<Refused | { outcome: 'listed'; settings: SetValue[] }>;
  /** @param value null has what is configured hold again */
  change(
    acting: Acting,
    name: SettingName,
    value: string | null,
    now: Date,
  ): Promise<Refused | { outcome: 'changed'; settings: SetValue[] }>;
}
