import type { Settings } from '@nolo/kit/settings';
import type { Meter } from '@nolo/kit/usage';
import type { SettingValues } from '@nolo/rules';
import type { LoadSocialEntitlement } from '../domain/entitlements.ts';
import type { PostStore } from '../domain/posts.ts';
import type { DraftDependencies } from './draft.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies extends DraftDependencies {
  posts: PostStore;
  /** Operators' runtime settings. */
  installation: Settings<SettingValues>;
  entitlementOf: LoadSocialEntitlement;
  meter: Pick<Meter, 'reserve' | 'release'>;
}
