import type { SettingName } from '@nolo/rules';
import type { OperatorActor, OperatorRefusal } from './operatorPorts.ts';

/** Operator setting that replaces a configured value. */
export interface StoredSettingValue {
  name: string;
  value: string;
  changedAt: Date;
}

/** Stores operators' runtime settings. */
export interface InstallationSettingStore {
  current(): Promise<StoredSettingValue[]>;
  list(
    acting: OperatorActor,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; settings: StoredSettingValue[] }>;
  /** @param value null restores the configured value */
  change(
    acting: OperatorActor,
    name: SettingName,
    value: string | null,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'changed'; settings: StoredSettingValue[] }>;
}
