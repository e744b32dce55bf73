import type { Clock } from '@nolo/kit/clock';
import type { FollowedSettings } from '@nolo/installation/settings';
import type { SettingValues } from '@nolo/rules';
import type {
  CheckAttachableFiles,
  AudienceChoiceStore,
  StatusFileReferenceStore,
  StatusStore,
  StatusViewStore,
} from '../domain/ports.ts';
import type { StatusMetrics } from '../metrics.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies {
  readonly clock: Clock;
  /** Operators' runtime settings. */
  readonly installation: FollowedSettings<SettingValues>;
  readonly statuses: StatusStore;
  readonly views: StatusViewStore;
  readonly choices: AudienceChoiceStore;
  readonly named: StatusFileReferenceStore;
  readonly attachable: CheckAttachableFiles;
  readonly metrics: Pick<StatusMetrics, 'posted' | 'views'>;
}
