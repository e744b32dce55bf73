import type { Clock } from '@nolo/kit/clock';
import type { Settings } from '@nolo/kit/settings';
import type { SettingValues } from '@nolo/rules';
import type { AttachableFiles, AudienceChoiceStore, NamedFileStore, StatusStore, ViewStore } from '../domain/ports.ts';
import type { StatusMetrics } from '../metrics.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies {
  readonly clock: Clock;
  /** Operators' runtime settings. */
  readonly installation: Settings<SettingValues>;
  readonly statuses: StatusStore;
  readonly views: ViewStore;
  readonly choices: AudienceChoiceStore;
  readonly named: NamedFileStore;
  readonly attachable: AttachableFiles;
  readonly metrics: Pick<StatusMetrics, 'posted' | 'views'>;
}
