import type { Settings } from '@nolo/kit/settings';
import type { Meter } from '@nolo/kit/usage';
import type { SettingValues } from '@nolo/rules';
import type { EntitlementOf } from '../domain/entitlements.ts';
import type { PostStore } from '../domain/posts.ts';
import type { DraftDependencies } from './draft.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies extends DraftDependencies {
  posts: PostStore;
  /** What operators set while the installation runs. */
  installation: Settings<SettingValues>;
  entitlementOf: EntitlementOf;
  meter: Pick<Meter, 'reserve' | 'release'>;
}
