import type { Clock } from '@nolo/kit/clock';
import type { Settings } from '@nolo/kit/settings';
import type { SettingValues } from '@nolo/rules';
import type { AttachableFiles, ChoiceStore, NamedFileStore, StatusStore, ViewStore } from '../domain/ports.ts';
import type { Metrics } from '../metrics.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  /** What operators set while the installation runs. */
  readonly installation: Settings<SettingValues>;
  readonly statuses: StatusStore;
  readonly views: ViewStore;
  readonly choices: ChoiceStore;
  readonly named: NamedFileStore;
  readonly attachable: AttachableFiles;
  readonly metrics: Pick<Metrics, 'posted' | 'views'>;
}
